// SPDX-License-Identifier: Apache-2.0
// NVTX for C++: ranges that end with their scope, and domains, categories and strings that are registered once. With
// NVTX_DISABLE nothing is left of it.
#ifndef NVTX3_CPP_VERSION_MAJOR
#define NVTX3_CPP_VERSION_MAJOR    1
#define NVTX3_CPP_VERSION_MINOR    0
#define NVTX3_CPP_DEFINITIONS_V1_0 // what is in namespace v1
#include "nvToolsExt.h"
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#if __cplusplus >= 201402L
#define HEDDLE_NVTX_CONSTEXPR constexpr
#else
#define HEDDLE_NVTX_CONSTEXPR
#endif
#if __cplusplus >= 201703L
#define HEDDLE_NVTX_UNUSED     [[maybe_unused]]
#define HEDDLE_NVTX_NO_DISCARD [[nodiscard]]
#else
#define HEDDLE_NVTX_UNUSED     __attribute__((unused))
#define HEDDLE_NVTX_NO_DISCARD __attribute__((warn_unused_result))
#endif

namespace nvtx3
{
#if defined(NVTX3_CPP_REQUIRE_EXPLICIT_VERSION)
namespace v1
{
#else
inline namespace v1
{
#endif

namespace detail
{
inline nvtxDomainHandle_t create_domain(const char *name) noexcept
{
#if defined(NVTX_DISABLE)
    (void)name;
    return nullptr;
#else
    return nvtxDomainCreateA(name);
#endif
}
inline nvtxDomainHandle_t create_domain(const wchar_t *name) noexcept
{
#if defined(NVTX_DISABLE)
    (void)name;
    return nullptr;
#else
    return nvtxDomainCreateW(name);
#endif
}
} // namespace detail

// A program's own part of a timeline: a type with a member `name`. domain::get<T>() makes it once, for
// good.
class domain
{
  public:
    domain(const domain &) = delete;
    domain &operator=(const domain &) = delete;
    struct global {
    };

    template <typename __D = global, typename std::enable_if<std::is_same<__D, global>::value, int>::type = 0>
    static const domain &get() noexcept
    {
        static const domain __d;
        return __d;
    }
    template <typename __D, typename std::enable_if<!std::is_same<__D, global>::value, int>::type = 0>
    static const domain &get() noexcept
    {
        static const domain __d(__D::name);
        return __d;
    }
    operator nvtxDomainHandle_t() const noexcept
    {
        return handle_;
    }

  private:
    domain() noexcept = default;
    explicit domain(const char *name) noexcept : handle_(detail::create_domain(name)) {}
    explicit domain(const wchar_t *name) noexcept : handle_(detail::create_domain(name)) {}
    nvtxDomainHandle_t handle_ = nullptr;
};

struct rgb {
    using component_type = uint8_t;
    constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
        : red(red_), green(green_), blue(blue_)
    {
    }
    component_type red, green, blue;
};
struct argb final : rgb {
    constexpr argb(component_type alpha_, component_type red_, component_type green_, component_type blue_) noexcept
        : rgb(red_, green_, blue_), alpha(alpha_)
    {
    }
    component_type alpha;
};
class color
{
  public:
    using value_type = uint32_t;
    constexpr explicit color(value_type hex_code) noexcept : value_(hex_code) {}
    constexpr color(argb __c) noexcept
        : value_((value_type)__c.alpha << 24 | (value_type)__c.red << 16 | (value_type)__c.green << 8 | __c.blue)
    {
    }
    constexpr color(rgb __c) noexcept : color(argb(0xFF, __c.red, __c.green, __c.blue)) {}
    constexpr value_type get_value() const noexcept
    {
        return value_;
    }
    constexpr nvtxColorType_t get_type() const noexcept
    {
        return NVTX_COLOR_ARGB;
    }

  private:
    value_type value_;
};

class category
{
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type id) noexcept : id_(id) {}
    constexpr id_type get_id() const noexcept
    {
        return id_;
    }

  private:
    id_type id_;
};
// get<C>() takes the members `name` and `id` of C.
template <typename __D = domain::global> class named_category_in final : public category
{
  public:
    template <typename __C> static const named_category_in &get() noexcept
    {
        static const named_category_in __c(__C::id, __C::name);
        return __c;
    }
    named_category_in(id_type id, const char *name) noexcept : category(id)
    {
#if !defined(NVTX_DISABLE)
        nvtxDomainNameCategoryA(domain::get<__D>(), id, name);
#else
        (void)name;
#endif
    }
    named_category_in(id_type id, const wchar_t *name) noexcept : category(id)
    {
#if !defined(NVTX_DISABLE)
        nvtxDomainNameCategoryW(domain::get<__D>(), id, name);
#else
        (void)name;
#endif
    }
};
using named_category = named_category_in<domain::global>;

// get<M>() takes the member `message` of M.
template <typename __D = domain::global> class registered_string_in
{
  public:
    template <typename __M> static const registered_string_in &get() noexcept
    {
        static const registered_string_in __s(__M::message);
        return __s;
    }
    explicit registered_string_in(const char *text) noexcept
    {
#if !defined(NVTX_DISABLE)
        handle_ = nvtxDomainRegisterStringA(domain::get<__D>(), text);
#else
        (void)text;
#endif
    }
    explicit registered_string_in(const wchar_t *text) noexcept
    {
#if !defined(NVTX_DISABLE)
        handle_ = nvtxDomainRegisterStringW(domain::get<__D>(), text);
#else
        (void)text;
#endif
    }
    explicit registered_string_in(const std::string &text) noexcept : registered_string_in(text.c_str()) {}
    explicit registered_string_in(const std::wstring &text) noexcept : registered_string_in(text.c_str()) {}
    registered_string_in() = delete;
    nvtxStringHandle_t get_handle() const noexcept
    {
        return handle_;
    }

  private:
    nvtxStringHandle_t handle_ = nullptr;
};
using registered_string = registered_string_in<domain::global>;

// A text that its owner keeps while it is used; temporaries are refused.
class message
{
  public:
    using value_type = nvtxMessageValue_t;
    HEDDLE_NVTX_CONSTEXPR message(const char *text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII)
    {
        value_.ascii = text;
    }
    HEDDLE_NVTX_CONSTEXPR message(const wchar_t *text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE)
    {
        value_.unicode = text;
    }
    message(const std::string &text) noexcept : message(text.c_str()) {}
    message(const std::wstring &text) noexcept : message(text.c_str()) {}
    message(std::string &&) = delete;
    message(std::wstring &&) = delete;
    template <typename __D>
    message(const registered_string_in<__D> &text) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED)
    {
        value_.registered = text.get_handle();
    }
    constexpr message(nvtxMessageType_t type, const nvtxMessageValue_t &value) noexcept : type_(type), value_(value) {}
    constexpr value_type get_value() const noexcept
    {
        return value_;
    }
    constexpr nvtxMessageType_t get_type() const noexcept
    {
        return type_;
    }

  private:
    nvtxMessageType_t type_;
    nvtxMessageValue_t value_{};
};

class payload
{
  public:
    using value_type = typename nvtxEventAttributes_v2::payload_t;
#define HEDDLE_NVTX_PAYLOAD(__T, type, member)                                                                         \
    HEDDLE_NVTX_CONSTEXPR explicit payload(__T value) noexcept : type_(NVTX_PAYLOAD_TYPE_##type), value_{}             \
    {                                                                                                                  \
        value_.member = value;                                                                                         \
    }
    HEDDLE_NVTX_PAYLOAD(int64_t, INT64, llValue)
    HEDDLE_NVTX_PAYLOAD(int32_t, INT32, iValue)
    HEDDLE_NVTX_PAYLOAD(uint64_t, UNSIGNED_INT64, ullValue)
    HEDDLE_NVTX_PAYLOAD(uint32_t, UNSIGNED_INT32, uiValue)
    HEDDLE_NVTX_PAYLOAD(float, FLOAT, fValue)
    HEDDLE_NVTX_PAYLOAD(double, DOUBLE, dValue)
#undef HEDDLE_NVTX_PAYLOAD
    constexpr payload(nvtxPayloadType_t type, const value_type &value) noexcept : type_(type), value_(value) {}
    constexpr value_type get_value() const noexcept
    {
        return value_;
    }
    constexpr nvtxPayloadType_t get_type() const noexcept
    {
        return type_;
    }

  private:
    nvtxPayloadType_t type_;
    value_type value_;
};

// What an event carries, in any order; of two of one kind the first counts.
class event_attributes
{
  public:
    using value_type = nvtxEventAttributes_t;
    constexpr event_attributes() noexcept
        : attributes_{
              NVTX_VERSION, sizeof(nvtxEventAttributes_t), 0,        NVTX_COLOR_UNKNOWN, 0, NVTX_PAYLOAD_UNKNOWN, 0,
              {0},          NVTX_MESSAGE_UNKNOWN,          {nullptr}}
    {
    }
    template <typename... __Args>
    HEDDLE_NVTX_CONSTEXPR explicit event_attributes(const category &__c, const __Args &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.category = __c.get_id();
    }
    template <typename... __Args>
    HEDDLE_NVTX_CONSTEXPR explicit event_attributes(const color &__c, const __Args &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.color = __c.get_value();
        attributes_.colorType = __c.get_type();
    }
    template <typename... __Args>
    HEDDLE_NVTX_CONSTEXPR explicit event_attributes(const payload &__p, const __Args &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.payload = __p.get_value();
        attributes_.payloadType = __p.get_type();
    }
    template <typename... __Args>
    HEDDLE_NVTX_CONSTEXPR explicit event_attributes(const message &__m, const __Args &...args) noexcept
        : event_attributes(args...)
    {
        attributes_.message = __m.get_value();
        attributes_.messageType = __m.get_type();
    }
    constexpr const value_type *get() const noexcept
    {
        return &attributes_;
    }

  private:
    value_type attributes_;
};

// From construction to the end of the scope, on one thread.
template <class __D = domain::global> class HEDDLE_NVTX_UNUSED scoped_range_in
{
  public:
    explicit scoped_range_in(const event_attributes &attributes) noexcept
    {
#if !defined(NVTX_DISABLE)
        nvtxDomainRangePushEx(domain::get<__D>(), attributes.get());
#else
        (void)attributes;
#endif
    }
    template <typename... __Args>
    explicit scoped_range_in(const __Args &...args) noexcept : scoped_range_in(event_attributes(args...))
    {
    }
    scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
    void *operator new(std::size_t) = delete;
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() noexcept
    {
#if !defined(NVTX_DISABLE)
        nvtxDomainRangePop(domain::get<__D>());
#endif
    }
};
using scoped_range = scoped_range_in<domain::global>;

namespace detail
{
template <class __D = domain::global> class HEDDLE_NVTX_UNUSED optional_scoped_range_in
{
  public:
    optional_scoped_range_in() = default;
    optional_scoped_range_in(const optional_scoped_range_in &) = delete;
    optional_scoped_range_in &operator=(const optional_scoped_range_in &) = delete;
    void begin(const event_attributes &attributes) noexcept
    {
#if !defined(NVTX_DISABLE)
        if (!begun_)
            nvtxDomainRangePushEx(domain::get<__D>(), attributes.get());
        begun_ = true;
#else
        (void)attributes;
#endif
    }
    ~optional_scoped_range_in() noexcept
    {
#if !defined(NVTX_DISABLE)
        if (begun_)
            nvtxDomainRangePop(domain::get<__D>());
#endif
    }

  private:
    bool begun_ = false;
};
} // namespace detail

// Ranges that may begin and end anywhere, on any thread.
struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr range_handle() noexcept = default;
    constexpr range_handle(std::nullptr_t) noexcept {}
    constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
    constexpr explicit operator bool() const noexcept
    {
        return id_ != 0;
    }
    constexpr value_type get_value() const noexcept
    {
        return id_;
    }

  private:
    value_type id_ = 0;
};
inline constexpr bool operator==(range_handle __a, range_handle __b) noexcept
{
    return __a.get_value() == __b.get_value();
}
inline constexpr bool operator!=(range_handle __a, range_handle __b) noexcept
{
    return !(__a == __b);
}
template <typename __D = domain::global>
HEDDLE_NVTX_NO_DISCARD inline range_handle start_range_in(const event_attributes &attributes) noexcept
{
#if !defined(NVTX_DISABLE)
    return range_handle(nvtxDomainRangeStartEx(domain::get<__D>(), attributes.get()));
#else
    (void)attributes;
    return {};
#endif
}
template <typename __D = domain::global, typename... __Args>
HEDDLE_NVTX_NO_DISCARD inline range_handle start_range_in(const __Args &...args) noexcept
{
    return start_range_in<__D>(event_attributes(args...));
}
HEDDLE_NVTX_NO_DISCARD inline range_handle start_range(const event_attributes &attributes) noexcept
{
    return start_range_in<domain::global>(attributes);
}
template <typename... __Args> HEDDLE_NVTX_NO_DISCARD inline range_handle start_range(const __Args &...args) noexcept
{
    return start_range_in<domain::global>(event_attributes(args...));
}
template <typename __D = domain::global> inline void end_range_in(range_handle __r) noexcept
{
#if !defined(NVTX_DISABLE)
    nvtxDomainRangeEnd(domain::get<__D>(), __r.get_value());
#else
    (void)__r;
#endif
}
inline void end_range(range_handle __r) noexcept
{
    end_range_in<domain::global>(__r);
}
template <typename __D = domain::global> class HEDDLE_NVTX_UNUSED unique_range_in
{
  public:
    explicit unique_range_in(const event_attributes &attributes) noexcept : handle_(start_range_in<__D>(attributes)) {}
    template <typename... __Args>
    explicit unique_range_in(const __Args &...args) noexcept : unique_range_in(event_attributes(args...))
    {
    }
    unique_range_in() noexcept : unique_range_in(event_attributes()) {}
    unique_range_in(unique_range_in &&other) noexcept : handle_(other.handle_)
    {
        other.handle_ = nullptr;
    }
    unique_range_in &operator=(unique_range_in &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    unique_range_in(const unique_range_in &) = delete;
    unique_range_in &operator=(const unique_range_in &) = delete;
    ~unique_range_in() noexcept
    {
        if (handle_)
            end_range_in<__D>(handle_);
    }

  private:
    range_handle handle_;
};
using unique_range = unique_range_in<domain::global>;

template <typename __D = domain::global> inline void mark_in(const event_attributes &attributes) noexcept
{
#if !defined(NVTX_DISABLE)
    nvtxDomainMarkEx(domain::get<__D>(), attributes.get());
#else
    (void)attributes;
#endif
}
template <typename __D = domain::global, typename... __Args> inline void mark_in(const __Args &...args) noexcept
{
    mark_in<__D>(event_attributes(args...));
}
inline void mark(const event_attributes &attributes) noexcept
{
    mark_in<domain::global>(attributes);
}
template <typename... __Args> inline void mark(const __Args &...args) noexcept
{
    mark_in<domain::global>(event_attributes(args...));
}
} // namespace v1
} // namespace nvtx3

// A range for the function that the macro stands in.
#if !defined(NVTX_DISABLE)
#define NVTX3_V1_FUNC_RANGE_IN(__D)                                                                                    \
    static const ::nvtx3::v1::registered_string_in<__D> nvtx3_func_name__{__func__};                                   \
    static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{nvtx3_func_name__};                                   \
    const ::nvtx3::v1::scoped_range_in<__D> nvtx3_range__                                                              \
    {                                                                                                                  \
        nvtx3_func_attr__                                                                                              \
    }
#define NVTX3_V1_FUNC_RANGE_IF_IN(__D, __C)                                                                            \
    ::nvtx3::v1::detail::optional_scoped_range_in<__D> optional_nvtx3_range__;                                         \
    if (__C) {                                                                                                         \
        static const ::nvtx3::v1::registered_string_in<__D> nvtx3_func_name__{__func__};                               \
        static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{nvtx3_func_name__};                               \
        optional_nvtx3_range__.begin(nvtx3_func_attr__);                                                               \
    }                                                                                                                  \
    (void)0
#else
#define NVTX3_V1_FUNC_RANGE_IN(__D)         (void)0
#define NVTX3_V1_FUNC_RANGE_IF_IN(__D, __C) (void)(__C)
#endif
#define NVTX3_V1_FUNC_RANGE()       NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(__C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, __C)
#if !defined(NVTX3_CPP_REQUIRE_EXPLICIT_VERSION)
#define NVTX3_FUNC_RANGE       NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF    NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN    NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN
#endif
#undef HEDDLE_NVTX_CONSTEXPR
#undef HEDDLE_NVTX_UNUSED
#undef HEDDLE_NVTX_NO_DISCARD
#endif
