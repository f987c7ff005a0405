// SPDX-License-Identifier: Apache-2.0
// CUPTI: activity records.
#ifndef HEDDLE_CUPTI_ACTIVITY_RECORD_H
#define HEDDLE_CUPTI_ACTIVITY_RECORD_H
#include "activity_kind.h"

typedef union {
    struct {
        uint32_t processId;
        uint32_t threadId;
    } pt;
    struct {
        uint32_t deviceId;
        uint32_t contextId;
        uint32_t streamId;
    } dcs;
} CUpti_ActivityObjectKindId;

typedef struct {
    uint32_t commandBufferLength;
    uint32_t channelID;
    uint32_t channelType;
} CUpti_ActivityOverheadCommandBufferFullData;

typedef struct {
    uint32_t structSize;
    uint32_t type;
    void *attributes;
} CUpti_NvtxExtPayloadAttr;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityUnifiedMemoryCounterScope scope;
    CUpti_ActivityUnifiedMemoryCounterKind kind;
    uint32_t deviceId;
    uint32_t enable;
} CUpti_ActivityUnifiedMemoryCounterConfig;

typedef struct PACKED_ALIGNMENT {
    uint32_t enabled;
    uint32_t pid;
} CUpti_ActivityAutoBoostState;

typedef struct PACKED_ALIGNMENT {
    uint32_t size;
    CUpti_ActivityPCSamplingPeriod samplingPeriod;
    uint32_t samplingPeriod2;
} CUpti_ActivityPCSamplingConfig;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
} CUpti_Activity;

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
    uint8_t isDeviceLaunched;
    uint8_t pad2[3];
    uint64_t copyCount;
} CUpti_ActivityMemcpy6;

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
    uint32_t srcDeviceId;
    uint32_t srcContextId;
    uint32_t dstDeviceId;
    uint32_t dstContextId;
    uint32_t correlationId;
    void *reserved0;
    uint64_t graphNodeId;
    uint32_t graphId;
    uint32_t channelID;
    CUpti_ChannelType channelType;
} CUpti_ActivityMemcpyPtoP4;

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
    uint32_t channelID;
    CUpti_ChannelType channelType;
    uint8_t isDeviceLaunched;
    uint8_t pad2[3];
} CUpti_ActivityMemset4;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityMemoryKind memoryKind;
    uint64_t address;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint64_t allocPC;
    uint64_t freePC;
    uint32_t processId;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t pad;
    const char *name;
} CUpti_ActivityMemory;

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
    const char *source;
} CUpti_ActivityMemory4;

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
    uint8_t isManagedPool;
    uint8_t pad2[7];
} CUpti_ActivityMemoryPool3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    union {
        uint8_t both;
        struct {
            uint8_t requested : 4;
            uint8_t executed : 4;
        } config;
    } cacheConfig;
    uint8_t sharedMemoryConfig;
    uint16_t registersPerThread;
    CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheRequested;
    CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheExecuted;
    uint64_t start;
    uint64_t end;
    uint64_t completed;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    int32_t gridX;
    int32_t gridY;
    int32_t gridZ;
    int32_t blockX;
    int32_t blockY;
    int32_t blockZ;
    int32_t staticSharedMemory;
    int32_t dynamicSharedMemory;
    uint32_t localMemoryPerThread;
    uint32_t localMemoryTotal;
    uint32_t correlationId;
    int64_t gridId;
    const char *name;
    void *reserved0;
    uint64_t queued;
    uint64_t submitted;
    uint8_t launchType;
    uint8_t isSharedMemoryCarveoutRequested;
    uint8_t sharedMemoryCarveoutRequested;
    uint8_t padding;
    uint32_t sharedMemoryExecuted;
    uint64_t graphNodeId;
    CUpti_FuncShmemLimitConfig shmemLimitConfig;
    uint32_t graphId;
    CUaccessPolicyWindow *pAccessPolicyWindow;
    uint32_t channelID;
    CUpti_ChannelType channelType;
    uint32_t clusterX;
    uint32_t clusterY;
    uint32_t clusterZ;
    uint32_t clusterSchedulingPolicy;
    uint64_t localMemoryTotal_v2;
    uint32_t maxPotentialClusterSize;
    uint32_t maxActiveClusters;
    uint8_t isDeviceLaunched;
    uint8_t padding3[7];
} CUpti_ActivityKernel10;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    union {
        uint8_t both;
        struct {
            uint8_t requested : 4;
            uint8_t executed : 4;
        } config;
    } cacheConfig;
    uint8_t sharedMemoryConfig;
    uint16_t registersPerThread;
    uint64_t start;
    uint64_t end;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    int32_t gridX;
    int32_t gridY;
    int32_t gridZ;
    int32_t blockX;
    int32_t blockY;
    int32_t blockZ;
    int32_t staticSharedMemory;
    int32_t dynamicSharedMemory;
    uint32_t localMemoryPerThread;
    uint32_t localMemoryTotal;
    uint32_t correlationId;
    int64_t gridId;
    int64_t parentGridId;
    uint64_t queued;
    uint64_t submitted;
    uint64_t completed;
    uint32_t parentBlockX;
    uint32_t parentBlockY;
    uint32_t parentBlockZ;
    uint32_t pad;
    const char *name;
} CUpti_ActivityCdpKernel;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityPreemptionKind preemptionKind;
    uint64_t timestamp;
    int64_t gridId;
    uint32_t blockX;
    uint32_t blockY;
    uint32_t blockZ;
    uint32_t pad;
} CUpti_ActivityPreemption;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_CallbackId cbid;
    uint64_t start;
    uint64_t end;
    uint32_t processId;
    uint32_t threadId;
    uint32_t correlationId;
    uint32_t returnValue;
} CUpti_ActivityAPI;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_EventID id;
    uint64_t value;
    CUpti_EventDomainID domain;
    uint32_t correlationId;
} CUpti_ActivityEvent;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_EventID id;
    CUpti_EventDomainID domain;
    uint32_t instance;
    uint64_t value;
    uint32_t correlationId;
    uint32_t pad;
} CUpti_ActivityEventInstance;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_MetricID id;
    CUpti_MetricValue value;
    uint32_t correlationId;
    uint8_t flags;
    uint8_t pad[3];
} CUpti_ActivityMetric;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_MetricID id;
    CUpti_MetricValue value;
    uint32_t instance;
    uint32_t correlationId;
    uint8_t flags;
    uint8_t pad[7];
} CUpti_ActivityMetricInstance;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t id;
    uint32_t lineNumber;
    uint32_t pad;
    const char *fileName;
} CUpti_ActivitySourceLocator;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t executed;
    uint64_t pcOffset;
    uint64_t threadsExecuted;
    uint64_t l2_transactions;
    uint64_t theoreticalL2Transactions;
} CUpti_ActivityGlobalAccess3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint32_t diverged;
    uint64_t threadsExecuted;
    uint32_t executed;
    uint32_t pad;
} CUpti_ActivityBranch2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint64_t globalMemoryBandwidth;
    uint64_t globalMemorySize;
    uint32_t constantMemorySize;
    uint32_t l2CacheSize;
    uint32_t numThreadsPerWarp;
    uint32_t coreClockRate;
    uint32_t numMemcpyEngines;
    uint32_t numMultiprocessors;
    uint32_t maxIPC;
    uint32_t maxWarpsPerMultiprocessor;
    uint32_t maxBlocksPerMultiprocessor;
    uint32_t maxSharedMemoryPerMultiprocessor;
    uint32_t maxRegistersPerMultiprocessor;
    uint32_t maxRegistersPerBlock;
    uint32_t maxSharedMemoryPerBlock;
    uint32_t maxThreadsPerBlock;
    uint32_t maxBlockDimX;
    uint32_t maxBlockDimY;
    uint32_t maxBlockDimZ;
    uint32_t maxGridDimX;
    uint32_t maxGridDimY;
    uint32_t maxGridDimZ;
    uint32_t computeCapabilityMajor;
    uint32_t computeCapabilityMinor;
    uint32_t id;
    uint32_t eccEnabled;
    CUuuid uuid;
    const char *name;
    uint8_t isCudaVisible;
    uint8_t isMigEnabled;
    uint8_t reserved[6];
    uint32_t gpuInstanceId;
    uint32_t computeInstanceId;
    CUuuid migUuid;
    uint32_t isNumaNode;
    uint32_t numaId;
} CUpti_ActivityDevice5;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t deviceId;
    union {
        CUdevice_attribute cu;
        CUpti_DeviceAttribute cupti;
    } attribute;
    union {
        double vDouble;
        uint32_t vUint32;
        uint64_t vUint64;
        int32_t vInt32;
        int64_t vInt64;
    } value;
} CUpti_ActivityDeviceAttribute;

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
    CUpti_ContextCigMode cigMode;
    uint32_t padding2;
} CUpti_ActivityContext3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityObjectKind objectKind;
    CUpti_ActivityObjectKindId objectId;
    uint32_t pad;
    const char *name;
} CUpti_ActivityName;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint64_t timestamp;
    uint32_t id;
    CUpti_ActivityObjectKind objectKind;
    CUpti_ActivityObjectKindId objectId;
    uint32_t pad;
    const char *name;
    const char *domain;
} CUpti_ActivityMarker2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t id;
    CUpti_MetricValueKind payloadKind;
    CUpti_MetricValue payload;
    uint32_t color;
    uint32_t category;
    uint32_t cuptiDomainId;
    uint32_t padding;
} CUpti_ActivityMarkerData2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityOverheadKind overheadKind;
    CUpti_ActivityObjectKind objectKind;
    CUpti_ActivityObjectKindId objectId;
    uint64_t start;
    uint64_t end;
    uint32_t correlationId;
    uint32_t reserved0;
    void *overheadData;
} CUpti_ActivityOverhead3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t deviceId;
    uint64_t timestamp;
    CUpti_ActivityEnvironmentKind environmentKind;
    union {
        struct {
            uint32_t smClock;
            uint32_t memoryClock;
            uint32_t pcieLinkGen;
            uint32_t pcieLinkWidth;
            CUpti_EnvironmentClocksThrottleReason clocksThrottleReasons;
        } speed;
        struct {
            uint32_t gpuTemperature;
        } temperature;
        struct {
            uint32_t power;
            uint32_t powerLimit;
        } power;
        struct {
            uint32_t fanSpeed;
        } cooling;
    } data;
} CUpti_ActivityEnvironment;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint64_t threadsExecuted;
    uint64_t notPredOffThreadsExecuted;
    uint32_t executed;
    uint32_t pad;
} CUpti_ActivityInstructionExecution;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t latencySamples;
    uint32_t samples;
    CUpti_ActivityPCSamplingStallReason stallReason;
    uint64_t pcOffset;
} CUpti_ActivityPCSampling3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t correlationId;
    uint64_t totalSamples;
    uint64_t droppedSamples;
    uint64_t samplingPeriodInCycles;
} CUpti_ActivityPCSamplingRecordInfo;

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
    uint64_t processors[5];
} CUpti_ActivityUnifiedMemoryCounter3;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t id;
    uint32_t contextId;
    uint32_t moduleId;
    uint32_t functionIndex;
    uint32_t pad;
    const char *name;
} CUpti_ActivityFunction;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t contextId;
    uint32_t id;
    uint32_t cubinSize;
    const void *cubin;
} CUpti_ActivityModule;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t correlationId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint64_t threadsExecuted;
    uint64_t sharedTransactions;
    uint64_t theoreticalSharedTransactions;
    uint32_t executed;
    uint32_t pad;
} CUpti_ActivitySharedAccess;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t correlationId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t eventId;
    uint32_t pad;
    uint32_t deviceId;
    uint32_t pad2;
    void *reserved0;
    uint64_t deviceTimestamp;
    uint64_t cudaEventSyncId;
} CUpti_ActivityCudaEvent2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t priority;
    CUpti_ActivityStreamFlag flag;
    uint32_t correlationId;
} CUpti_ActivityStream;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivitySynchronizationType type;
    uint64_t start;
    uint64_t end;
    uint32_t correlationId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t cudaEventId;
    uint64_t cudaEventSyncId;
    uint32_t returnValue;
    uint32_t pad;
} CUpti_ActivitySynchronization2;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ActivityFlag flags;
    uint32_t sourceLocatorId;
    uint32_t functionId;
    uint32_t pcOffset;
    uint32_t pad;
} CUpti_ActivityInstructionCorrelation;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_OpenAccEventKind eventKind;
    CUpti_OpenAccConstructKind parentConstruct;
    uint32_t version;
    uint32_t implicit;
    uint32_t deviceType;
    uint32_t deviceNumber;
    uint32_t threadId;
    uint64_t async;
    uint64_t asyncMap;
    uint32_t lineNo;
    uint32_t endLineNo;
    uint32_t funcLineNo;
    uint32_t funcEndLineNo;
    uint64_t start;
    uint64_t end;
    uint32_t cuDeviceId;
    uint32_t cuContextId;
    uint32_t cuStreamId;
    uint32_t cuProcessId;
    uint32_t cuThreadId;
    uint32_t externalId;
    const char *srcFile;
    const char *funcName;
} CUpti_ActivityOpenAcc;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_OpenAccEventKind eventKind;
    CUpti_OpenAccConstructKind parentConstruct;
    uint32_t version;
    uint32_t implicit;
    uint32_t deviceType;
    uint32_t deviceNumber;
    uint32_t threadId;
    uint64_t async;
    uint64_t asyncMap;
    uint32_t lineNo;
    uint32_t endLineNo;
    uint32_t funcLineNo;
    uint32_t funcEndLineNo;
    uint64_t start;
    uint64_t end;
    uint32_t cuDeviceId;
    uint32_t cuContextId;
    uint32_t cuStreamId;
    uint32_t cuProcessId;
    uint32_t cuThreadId;
    uint32_t externalId;
    const char *srcFile;
    const char *funcName;
    uint64_t bytes;
    uint64_t hostPtr;
    uint64_t devicePtr;
    const char *varName;
} CUpti_ActivityOpenAccData;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_OpenAccEventKind eventKind;
    CUpti_OpenAccConstructKind parentConstruct;
    uint32_t version;
    uint32_t implicit;
    uint32_t deviceType;
    uint32_t deviceNumber;
    uint32_t threadId;
    uint64_t async;
    uint64_t asyncMap;
    uint32_t lineNo;
    uint32_t endLineNo;
    uint32_t funcLineNo;
    uint32_t funcEndLineNo;
    uint64_t start;
    uint64_t end;
    uint32_t cuDeviceId;
    uint32_t cuContextId;
    uint32_t cuStreamId;
    uint32_t cuProcessId;
    uint32_t cuThreadId;
    uint32_t externalId;
    const char *srcFile;
    const char *funcName;
    uint64_t numGangs;
    uint64_t numWorkers;
    uint64_t vectorLength;
    const char *kernelName;
} CUpti_ActivityOpenAccLaunch;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_OpenAccEventKind eventKind;
    CUpti_OpenAccConstructKind parentConstruct;
    uint32_t version;
    uint32_t implicit;
    uint32_t deviceType;
    uint32_t deviceNumber;
    uint32_t threadId;
    uint64_t async;
    uint64_t asyncMap;
    uint32_t lineNo;
    uint32_t endLineNo;
    uint32_t funcLineNo;
    uint32_t funcEndLineNo;
    uint64_t start;
    uint64_t end;
    uint32_t cuDeviceId;
    uint32_t cuContextId;
    uint32_t cuStreamId;
    uint32_t cuProcessId;
    uint32_t cuThreadId;
    uint32_t externalId;
    const char *srcFile;
    const char *funcName;
} CUpti_ActivityOpenAccOther;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_OpenMpEventKind eventKind;
    uint32_t version;
    uint32_t threadId;
    uint64_t start;
    uint64_t end;
    uint32_t cuProcessId;
    uint32_t cuThreadId;
} CUpti_ActivityOpenMp;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ExternalCorrelationKind externalKind;
    uint64_t externalId;
    uint32_t correlationId;
    uint32_t reserved;
} CUpti_ActivityExternalCorrelation;

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
} CUpti_ActivityNvLink4;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_PcieDeviceType type;
    union {
        CUdevice devId;
        uint32_t bridgeId;
    } id;
    uint32_t domain;
    uint16_t pcieGeneration;
    uint16_t linkRate;
    uint16_t linkWidth;
    uint16_t upstreamBus;
    union {
        struct {
            CUuuid uuidDev;
            CUdevice peerDev[CUPTI_MAX_GPUS];
        } gpuAttr;
        struct {
            uint16_t secondaryBus;
            uint16_t deviceId;
            uint16_t vendorId;
            uint16_t pad0;
        } bridgeAttr;
    } attr;
} CUpti_ActivityPcie;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_ConfidentialComputeRotationEventType eventType;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t channelId;
    CUpti_ChannelType channelType;
    uint64_t timestamp;
} CUpti_ActivityConfidentialComputeRotation;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_EventID id;
    uint64_t value;
    uint64_t timestamp;
    uint32_t deviceId;
    uint32_t reserved;
} CUpti_ActivityInstantaneousEvent;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_EventID id;
    uint64_t value;
    uint64_t timestamp;
    uint32_t deviceId;
    uint8_t instance;
    uint8_t pad[3];
} CUpti_ActivityInstantaneousEventInstance;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_MetricID id;
    CUpti_MetricValue value;
    uint64_t timestamp;
    uint32_t deviceId;
    uint8_t flags;
    uint8_t pad[3];
} CUpti_ActivityInstantaneousMetric;

typedef struct PACKED_ALIGNMENT {
    CUpti_ActivityKind kind;
    CUpti_MetricID id;
    CUpti_MetricValue value;
    uint64_t timestamp;
    uint32_t deviceId;
    uint8_t flags;
    uint8_t instance;
    uint8_t pad[2];
} CUpti_ActivityInstantaneousMetricInstance;

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
    uint32_t processId;
    uint32_t threadId;
} CUpti_ActivityJit2;

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
    uint32_t endDeviceId;
    uint32_t endContextId;
} CUpti_ActivityGraphTrace2;

typedef struct {
    CUpti_ActivityKind kind;
    uint32_t deviceId;
    uint64_t start;
    uint64_t end;
    uint32_t graphId;
    uint32_t launcherGraphId;
    uint32_t deviceLaunchMode;
    uint32_t contextId;
    uint64_t streamId;
    void *reserved;
} CUpti_ActivityDeviceGraphTrace;

typedef struct {
    CUpti_ActivityKind kind;
    uint32_t deviceId;
    uint32_t contextId;
    uint32_t streamId;
    uint32_t channelID;
    CUpti_ChannelType channelType;
    uint32_t correlationId;
    uint32_t numberOfOperations;
    uint64_t sourceBytes;
    void *reserved0;
    uint64_t start;
    uint64_t end;
} CUpti_ActivityMemDecompress;

typedef void(CUPTIAPI *CUpti_BuffersCallbackRequestFunc)(uint8_t **buffer, size_t *size, size_t *maxNumRecords);

typedef void(CUPTIAPI *CUpti_BuffersCallbackCompleteFunc)(CUcontext context, uint32_t streamId, uint8_t *buffer,
                                                          size_t size, size_t validSize);

typedef uint64_t(CUPTIAPI *CUpti_TimestampCallbackFunc)(void);

#endif
