// SPDX-License-Identifier: Apache-2.0
// Level 1: every function in every type, with steps of both signs, scalars of host and device, both widths of integers.
#include "blas_test.h"

struct steps {
    long long n;
    int incx, incy;
};
static const steps SHAPES[] = {{1, 1, 1},     {7, 1, 1},     {33, 2, -3},  {129, -1, 1},
                               {50000, 1, 1}, {40001, 3, 2}, {16384, 1, 1}};

template <class T> static void elements(cublasHandle_t h, const steps &s, bool device)
{
    typedef typename number<T>::real R;
    size_t nx = room(s.n, s.incx), ny = room(s.n, s.incy);
    array<T> x(nx), y(ny);
    T a = random_number<T>();
    scalar_at<T> alpha(a, device);
    OK(CALL(axpy)(h, (int)s.n, &alpha, x.dev, s.incx, y.dev, s.incy));
    for (long long i = 0; i < s.n; i++)
        y.set(place(i, s.n, s.incy), y.at(place(i, s.n, s.incy)) + number<T>::of(a) * x.at(place(i, s.n, s.incx)));
    CHECK(y.equals(4 * eps<T>()));
    OK(CALL64(axpy)(h, s.n, &alpha, x.dev, s.incx, y.dev, s.incy));
    for (long long i = 0; i < s.n; i++)
        y.set(place(i, s.n, s.incy), y.at(place(i, s.n, s.incy)) + number<T>::of(a) * x.at(place(i, s.n, s.incx)));
    CHECK(y.equals(8 * eps<T>()));

    OK(CALL(copy)(h, (int)s.n, x.dev, s.incx, y.dev, s.incy));
    for (long long i = 0; i < s.n; i++)
        y.set(place(i, s.n, s.incy), x.at(place(i, s.n, s.incx)));
    CHECK(y.equals(8 * eps<T>()));

    array<T> u(nx), v(ny);
    OK(CALL(swap)(h, (int)s.n, u.dev, s.incx, v.dev, s.incy));
    for (long long i = 0; i < s.n; i++)
        std::swap(u.host[place(i, s.n, s.incx)], v.host[place(i, s.n, s.incy)]);
    CHECK(u.equals(0) && v.equals(0));

    // scal: nothing is done with a step that is not positive
    array<T> w(nx);
    OK(CALL(scal)(h, (int)s.n, &alpha, w.dev, s.incx));
    for (long long i = 0; s.incx > 0 && i < s.n; i++)
        w.set((size_t)(i * s.incx), w.at((size_t)(i * s.incx)) * number<T>::of(a));
    CHECK(w.equals(4 * eps<T>()));
    if constexpr (number<T>::is_complex) {
        R f = (R)0.75;
        scalar_at<R> real(f, device);
        if constexpr (std::is_same<T, cuComplex>::value)
            OK(cublasCsscal(h, (int)s.n, &real, w.dev, s.incx));
        else
            OK(cublasZdscal(h, (int)s.n, &real, w.dev, s.incx));
        for (long long i = 0; s.incx > 0 && i < s.n; i++)
            w.set((size_t)(i * s.incx), w.at((size_t)(i * s.incx)) * (wide)f);
        CHECK(w.equals(8 * eps<T>()));
    }
}

template <class T> static void rotations(cublasHandle_t h, const steps &s, bool device)
{
    typedef typename number<T>::real R;
    array<T> x(room(s.n, s.incx)), y(room(s.n, s.incy));
    R c = (R)0.6;
    T sn = number<T>::is_complex ? number<T>::to(X(0.48L, 0.64L)) : number<T>::to(X(0.8L));
    scalar_at<R> pc(c, device);
    scalar_at<T> ps(sn, device);
    OK(CALL(rot)(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &pc, &ps));
    for (long long i = 0; i < s.n; i++) {
        size_t p = place(i, s.n, s.incx), q = place(i, s.n, s.incy);
        X a = x.at(p), b = y.at(q), cc = (wide)c, ss = number<T>::of(sn);
        x.set(p, cc * a + ss * b);
        y.set(q, cc * b - std::conj(ss) * a);
    }
    CHECK(x.equals(8 * eps<T>()) && y.equals(8 * eps<T>()));
    if constexpr (number<T>::is_complex) {
        R sr = (R)0.8;
        scalar_at<R> pr(sr, device);
        if constexpr (std::is_same<T, cuComplex>::value)
            OK(cublasCsrot(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &pc, &pr));
        else
            OK(cublasZdrot(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &pc, &pr));
        for (long long i = 0; i < s.n; i++) {
            size_t p = place(i, s.n, s.incx), q = place(i, s.n, s.incy);
            X a = x.at(p), b = y.at(q);
            x.set(p, (wide)c * a + (wide)sr * b);
            y.set(q, (wide)c * b - (wide)sr * a);
        }
        CHECK(x.equals(16 * eps<T>()) && y.equals(16 * eps<T>()));
    } else {
        for (int flag = -2; flag <= 1; flag++) {
            T param[5] = {(T)flag, (T)0.5, (T)-0.25, (T)0.75, (T)1.5}, *list = param;
            if (device) {
                cudaMalloc(&list, sizeof param);
                cudaMemcpy(list, param, sizeof param, cudaMemcpyHostToDevice);
            }
            auto f = pick<T>(cublasSrotm, cublasDrotm, cublasSrotm, cublasDrotm);
            OK(f(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, list));
            wide h11 = flag == -1 || flag == 1 ? param[1] : 1, h22 = flag == -1 || flag == 1 ? param[4] : 1;
            wide h21 = flag == 1 ? -1 : flag == -2 ? 0 : param[2], h12 = flag == 1 ? 1 : flag == -2 ? 0 : param[3];
            for (long long i = 0; i < s.n; i++) {
                size_t p = place(i, s.n, s.incx), q = place(i, s.n, s.incy);
                X a = x.at(p), b = y.at(q);
                x.set(p, h11 * a + h12 * b);
                y.set(q, h21 * a + h22 * b);
            }
            CHECK(x.equals(64 * eps<T>()) && y.equals(64 * eps<T>()));
            if (device)
                cudaFree(list);
        }
    }
}

template <class T> static void sums(cublasHandle_t h, const steps &s, bool device)
{
    typedef typename number<T>::real R;
    array<T> x(room(s.n, s.incx)), y(room(s.n, s.incy));
    X dot = 0, dotc = 0;
    wide size = 0, asum = 0, squares = 0;
    for (long long i = 0; i < s.n; i++) {
        X a = x.at(place(i, s.n, s.incx)), b = y.at(place(i, s.n, s.incy));
        dot += a * b;
        dotc += std::conj(a) * b;
        size += std::abs(a * b);
    }
    for (long long i = 0; s.incx > 0 && i < s.n; i++) {
        X a = x.at((size_t)(i * s.incx));
        asum += std::fabs(a.real()) + std::fabs(a.imag());
        squares += std::norm(a);
    }
    wide bound = eps<T>() * 200 * (1 + size);
    scalar_at<T> result(nan_number<T>(), device);
    if constexpr (number<T>::is_complex) {
        auto u = pick<T>(0, 0, cublasCdotu, cublasZdotu), c = pick<T>(0, 0, cublasCdotc, cublasZdotc);
        OK(u(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &result));
        CHECK(std::abs(number<T>::of(result.get()) - dot) <= bound);
        OK(c(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &result));
        CHECK(std::abs(number<T>::of(result.get()) - dotc) <= bound);
    } else {
        auto f = pick<T>(cublasSdot, cublasDdot, 0, 0);
        OK(f(h, (int)s.n, x.dev, s.incx, y.dev, s.incy, &result));
        CHECK(std::abs(number<T>::of(result.get()) - dot) <= bound);
    }
    scalar_at<R> real((R)-1, device);
    OK(pick<T>(cublasSasum, cublasDasum, cublasScasum, cublasDzasum)(h, (int)s.n, x.dev, s.incx, &real));
    CHECK(std::fabs(real.get() - asum) <= eps<T>() * 100 * (1 + asum));
    OK(pick<T>(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)(h, (int)s.n, x.dev, s.incx, &real));
    CHECK(std::fabs(real.get() - std::sqrt(squares)) <= eps<T>() * 20 * (1 + std::sqrt(squares)));

    long long most = 0, least = 0;
    wide best = -1, worst = 1e30L;
    for (long long i = 0; s.incx > 0 && i < s.n; i++) {
        X a = x.at((size_t)(i * s.incx));
        R v = (R)std::fabs((R)a.real()) + (R)std::fabs((R)a.imag());
        if (v > best) {
            best = v;
            most = i + 1;
        }
        if (v < worst) {
            worst = v;
            least = i + 1;
        }
    }
    scalar_at<int> index(-5, device);
    OK(pick<T>(cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax)(h, (int)s.n, x.dev, s.incx, &index));
    CHECK(index.get() == (int)most);
    OK(pick<T>(cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin)(h, (int)s.n, x.dev, s.incx, &index));
    CHECK(index.get() == (int)least);
    scalar_at<int64_t> wide(-5, device);
    OK(pick<T>(cublasIsamax_64, cublasIdamax_64, cublasIcamax_64, cublasIzamax_64)(h, s.n, x.dev, s.incx, &wide));
    CHECK(wide.get() == most);
}

// Equal ones: the first. NaN: not chosen. Numbers whose squares are too large or too small.
template <class T> static void corners(cublasHandle_t h)
{
    typedef typename number<T>::real R;
    array<T> x(40000);
    for (size_t i = 0; i < x.host.size(); i++)
        x.set(i, X(i % 7 == 3 ? 2 : 1));
    x.push();
    int index = 0;
    auto most = pick<T>(cublasIsamax, cublasIdamax, cublasIcamax, cublasIzamax);
    auto least = pick<T>(cublasIsamin, cublasIdamin, cublasIcamin, cublasIzamin);
    OK(most(h, 40000, x.dev, 1, &index));
    CHECK(index == 4);
    OK(least(h, 40000, x.dev, 1, &index));
    CHECK(index == 1);
    auto norm = pick<T>(cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2);
    R huge = std::numeric_limits<R>::max() / 4, tiny = std::numeric_limits<R>::min() * 2, result = 0;
    for (R size : {huge, tiny}) {
        array<T> y(3);
        for (size_t i = 0; i < 3; i++)
            y.set(i, X(i ? size : 0));
        y.push();
        OK(norm(h, 3, y.dev, 1, &result));
        CHECK(std::fabs(result / size - std::sqrt((R)2)) < 1e-5);
    }
    // nothing
    result = 5;
    OK(norm(h, 0, x.dev, 1, &result));
    CHECK(result == 0);
    index = 5;
    OK(most(h, 0, x.dev, 1, &index));
    CHECK(index == 0);
    OK(most(h, 10, x.dev, 0, &index));
    CHECK(index == 0);
}

// c a + s b = r, and -conj(s) a + c b = 0
template <class T> static void make_rotation(cublasHandle_t h, bool device)
{
    typedef typename number<T>::real R;
    for (int k = 0; k < 6; k++) {
        T a = k == 1 ? number<T>::to(X(0)) : random_number<T>(), b = k == 2 ? number<T>::to(X(0)) : random_number<T>();
        scalar_at<T> pa(a, device), pb(b, device), ps(a, device);
        scalar_at<R> pc((R)0, device);
        OK(CALL(rotg)(h, &pa, &pb, &pc, &ps));
        X r = number<T>::of(pa.get()), c = (wide)pc.get(), s = number<T>::of(ps.get());
        X xa = number<T>::of(a), xb = number<T>::of(b);
        CHECK(std::abs(c * xa + s * xb - r) < 20 * eps<T>());
        CHECK(std::abs(c * xb - std::conj(s) * xa) < 20 * eps<T>());
        CHECK(std::fabs(std::norm(c) + std::norm(s) - 1) < 20 * eps<T>());
    }
}

// The modified rotation brings the second element to 0.
template <class T> static void make_modified(cublasHandle_t h, bool device)
{
    auto make = pick<T>(cublasSrotmg, cublasDrotmg, 0, 0);
    const double CASES[][4] = {{1, 1, 0.5, 0.25}, {2, 3, 0.25, 1.5}, {1e8, 1, 1, 0.5},
                               {1, 1e-9, 0.5, 2}, {4, 2, 1, 0},      {-1, 1, 1, 1}};
    for (auto &q : CASES) {
        scalar_at<T> d1((T)q[0], device), d2((T)q[1], device), x1((T)q[2], device), y1((T)q[3], device);
        T param[5] = {9, 0, 0, 0, 0}, *list = param;
        if (device)
            cudaMalloc(&list, sizeof param);
        OK(make(h, &d1, &d2, &x1, &y1, list));
        if (device) {
            cudaMemcpy(param, list, sizeof param, cudaMemcpyDeviceToHost);
            cudaFree(list);
        }
        T flag = param[0];
        CHECK(flag >= -2 && flag <= 1);
        if (q[0] < 0) {
            CHECK(flag == -1 && d1.get() == 0 && d2.get() == 0 && x1.get() == 0);
            continue;
        }
        if (q[3] == 0) {
            CHECK(flag == -2);
            continue;
        }
        double h11 = flag == 0 ? 1 : param[1], h21 = flag == 1 ? -1 : param[2], h12 = flag == 1 ? 1 : param[3],
               h22 = flag == 0 ? 1 : param[4];
        double u = h11 * q[2] + h12 * q[3], v = h21 * q[2] + h22 * q[3];
        double before = q[0] * q[2] * q[2] + q[1] * q[3] * q[3];
        CHECK(std::fabs(v) <= 1e-4 * (std::fabs(h21 * q[2]) + std::fabs(h22 * q[3])));
        CHECK(std::fabs(u - x1.get()) <= 1e-4 * std::fabs(u));
        CHECK(std::fabs((double)d1.get() * u * u - before) <= 1e-4 * before);
    }
}

template <class T> static void all(cublasHandle_t h)
{
    for (int device = 0; device < 2; device++) {
        device_scalars(h, device);
        for (const steps &s : SHAPES) {
            elements<T>(h, s, device);
            rotations<T>(h, s, device);
            sums<T>(h, s, device);
        }
        make_rotation<T>(h, device);
        if constexpr (!number<T>::is_complex)
            make_modified<T>(h, device);
    }
    device_scalars(h, false);
    corners<T>(h);
}

int main()
{
    cublasHandle_t h;
    OK(cublasCreate(&h));
    all<float>(h);
    all<double>(h);
    all<cuComplex>(h);
    all<cuDoubleComplex>(h);
    OK(cublasDestroy(h));
    return summary();
}
