// SPDX-License-Identifier: Apache-2.0
// CUPTI: activity records of former versions, part 2.
#ifndef HEDDLE_CUPTI_ACTIVITY_FORMER_2_H
#define HEDDLE_CUPTI_ACTIVITY_FORMER_2_H
#include "activity_record.h"

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t value;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t correlationId;
    uint16_t flags;
    uint16_t memoryKind;
    uint32_t pad;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t padding;
} CUpti_ActivityMemset3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryOperationType memoryOperationType;
    CUpti_ActivityMemoryKind memoryKind;
    uint32_t correlationId;
    uint64_t address;
    uint64_t bytes;
    uint64_t timestamp;
    uint64_t PC;
    uint32_t processId;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    const char *name;
    uint32_t isAsync;
    uint32_t pad1;
    struct {
        CUpti_ActivityMemoryPoolType memoryPoolType;
        uint32_t pad2;
        uint64_t address;
        uint64_t releaseThreshold;
        union {
            uint64_t size;
            uint64_t processId;
        } pool;
    } memoryPoolConfig;
} CUpti_ActivityMemory2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryOperationType memoryOperationType;
    CUpti_ActivityMemoryKind memoryKind;
    uint32_t correlationId;
    uint64_t address;
    uint64_t bytes;
    uint64_t timestamp;
    uint64_t PC;
    uint32_t processId;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    const char *name;
    uint32_t isAsync;
    uint32_t pad1;
    struct PACKED_ALIGNMENT {
        CUpti_ActivityMemoryPoolType memoryPoolType;
        uint32_t pad2;
        uint64_t address;
        uint64_t releaseThreshold;
        union {
            uint64_t size;
            uint64_t processId;
        } pool;
        uint64_t utilizedSize;
    } memoryPoolConfig;
} CUpti_ActivityMemory3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryPoolOperationType memoryPoolOperationType;
    CUpti_ActivityMemoryPoolType memoryPoolType;
    uint32_t correlationId;
    uint32_t processId;
    uint32_t deviceId;
    size_t minBytesToKeep;
    uint64_t address;
    uint64_t size;
    uint64_t releaseThreshold;
    uint64_t timestamp;
} CUpti_ActivityMemoryPool;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryPoolOperationType memoryPoolOperationType;
    CUpti_ActivityMemoryPoolType memoryPoolType;
    uint32_t correlationId;
    uint32_t processId;
    uint32_t deviceId;
    size_t minBytesToKeep;
    uint64_t address;
    uint64_t size;
    uint64_t releaseThreshold;
    uint64_t timestamp;
    uint64_t utilizedSize;
} CUpti_ActivityMemoryPool2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint64_t timestamp;
    uint32_t id;
    CUpti_ActivityObjectKind objectKind;
    CUpti_ActivityObjectKindId objectId;
    uint32_t pad;
    const char *name;
} CUpti_ActivityMarker;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t pcOffset;
    uint32_t executed;
    uint64_t threadsExecuted;
    uint64_t l2_transactions;
} CUpti_ActivityGlobalAccess;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint64_t threadsExecuted;
    uint64_t l2_transactions;
    uint64_t theoreticalL2Transactions;
    uint32_t executed;
    uint32_t pad;
} CUpti_ActivityGlobalAccess2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t pcOffset;
    uint32_t executed;
    uint32_t diverged;
    uint64_t threadsExecuted;
} CUpti_ActivityBranch;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint32_t samples;
    CUpti_ActivityPCSamplingStallReason stallReason;
} CUpti_ActivityPCSampling;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint32_t latencySamples;
    uint32_t samples;
    CUpti_ActivityPCSamplingStallReason stallReason;
    uint32_t pad;
} CUpti_ActivityPCSampling2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityUnifiedMemoryCounterKind counterKind;
    CUpti_ActivityUnifiedMemoryCounterScope scope;
    uint32_t deviceId;
    uint64_t value;
    uint64_t timestamp;
    uint32_t processId;
    uint32_t pad;
} CUpti_ActivityUnifiedMemoryCounter;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityUnifiedMemoryCounterKind counterKind;
    uint64_t value;
    uint64_t start;
    uint64_t end;
    uint64_t address;
    uint32_t srcId;
    uint32_t dstId;
    uint32_t streamId;
    uint32_t processId;
    uint32_t flags;
    uint32_t pad;
} CUpti_ActivityUnifiedMemoryCounter2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t nvlinkVersion;
    CUpti_DevType typeDev0;
    CUpti_DevType typeDev1;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev0;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev1;
    uint32_t flag;
    uint32_t physicalNvLinkCount;
    int8_t portDev0[4];
    int8_t portDev1[4];
    uint64_t bandwidth;
} CUpti_ActivityNvLink;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t nvlinkVersion;
    CUpti_DevType typeDev0;
    CUpti_DevType typeDev1;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev0;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev1;
    uint32_t flag;
    uint32_t physicalNvLinkCount;
    int8_t portDev0[CUPTI_MAX_NVLINK_PORTS];
    int8_t portDev1[CUPTI_MAX_NVLINK_PORTS];
    uint64_t bandwidth;
} CUpti_ActivityNvLink2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t nvlinkVersion;
    CUpti_DevType typeDev0;
    CUpti_DevType typeDev1;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev0;
    union {
        CUuuid uuidDev;
        struct {
            uint32_t index;
            uint32_t domainId;
        } npu;
    } idDev1;
    uint32_t flag;
    uint32_t physicalNvLinkCount;
    int8_t portDev0[CUPTI_MAX_NVLINK_PORTS];
    int8_t portDev1[CUPTI_MAX_NVLINK_PORTS];
    uint64_t bandwidth;
    uint8_t nvswitchConnected;
    uint8_t pad[7];
} CUpti_ActivityNvLink3;

typedef struct {
    CUpti_ActivityKind kind;
    uint32_t correlationId;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t graphId;
    uint32_t contextId;
    uint32_t streamId;
    void *reserved;
} CUpti_ActivityGraphTrace;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t contextId;
    uint32_t deviceId;
    uint16_t computeApiKind;
    uint16_t nullStreamId;
} CUpti_ActivityContext;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t contextId;
    uint32_t deviceId;
    uint16_t computeApiKind;
    uint16_t nullStreamId;
    uint32_t parentContextId;
    uint8_t isGreenContext;
    uint8_t padding;
    uint16_t numMultiprocessors;
} CUpti_ActivityContext2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityJitEntryType jitEntryType;
    CUpti_ActivityJitOperationType jitOperationType;
    uint32_t deviceId;
    uint64_t start;
    uint64_t end;
    uint32_t correlationId;
    uint32_t padding;
    uint64_t jitOperationCorrelationId;
    uint64_t cacheSize;
    const char *cachePath;
} CUpti_ActivityJit;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t correlationId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t eventId;
    uint32_t pad;
} CUpti_ActivityCudaEvent;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivitySynchronizationType type;
    uint64_t start;
    uint64_t end;
    uint32_t correlationId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t cudaEventId;
} CUpti_ActivitySynchronization;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint8_t copyKind;
    uint8_t srcKind;
    uint8_t dstKind;
    uint8_t flags;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t correlationId;
    uint32_t runtimeCorrelationId;
    uint32_t pad;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t channelID;
    CUpti_ChannelType channelType;
    uint32_t pad2;
} CUpti_ActivityMemcpy5;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t id;
    CUpti_MetricValueKind payloadKind;
    CUpti_MetricValue payload;
    uint32_t color;
    uint32_t category;
} CUpti_ActivityMarkerData;

#endif
