// SPDX-License-Identifier: Apache-2.0
// Sizes, flags and kinds.
#ifndef HEDDLE_NVML_CONSTANT_H
#define HEDDLE_NVML_CONSTANT_H

#define NVML_DEVICE_PCI_BUS_ID_FMT_ARGS(pciInfo)            (pciInfo)->domain, (pciInfo)->bus, (pciInfo)->device
#define NVML_NVLINK_MAX_LINKS                               18
#define NVML_TOPOLOGY_CPU                                   NVML_TOPOLOGY_NODE
#define NVML_MAX_PHYSICAL_BRIDGE                            (128)
#define NVML_MAX_THERMAL_SENSORS_PER_GPU                    3
#define NVML_DEVICE_UUID_ASCII_LEN                          41
#define NVML_DEVICE_UUID_BINARY_LEN                         16
#define nvmlFlagDefault                                     0x00
#define nvmlFlagForce                                       0x01
#define MAX_CLK_DOMAINS                                     32
#define NVML_SINGLE_BIT_ECC                                 NVML_MEMORY_ERROR_TYPE_CORRECTED
#define NVML_DOUBLE_BIT_ECC                                 NVML_MEMORY_ERROR_TYPE_UNCORRECTED
#define NVML_MAX_GPU_PERF_PSTATES                           16
#define NVML_PERF_MODES_BUFFER_SIZE                         2048
#define NVML_POWER_MIZER_MODE_ADAPTIVE                      0
#define NVML_POWER_MIZER_MODE_PREFER_MAXIMUM_PERFORMANCE    1
#define NVML_POWER_MIZER_MODE_AUTO                          2
#define NVML_POWER_MIZER_MODE_PREFER_CONSISTENT_PERFORMANCE 3
#define NVML_GSP_FIRMWARE_VERSION_BUF_SIZE                  0x40
#define NVML_BUS_TYPE_UNKNOWN                               0
#define NVML_BUS_TYPE_PCI                                   1
#define NVML_BUS_TYPE_PCIE                                  2
#define NVML_BUS_TYPE_FPCI                                  3
#define NVML_BUS_TYPE_AGP                                   4
#define NVML_FAN_POLICY_TEMPERATURE_CONTINOUS_SW            0
#define NVML_FAN_POLICY_MANUAL                              1
#define NVML_POWER_SOURCE_AC                                0x00000000
#define NVML_POWER_SOURCE_BATTERY                           0x00000001
#define NVML_POWER_SOURCE_UNDERSIZED                        0x00000002
#define NVML_PCIE_LINK_MAX_SPEED_INVALID                    0x00000000
#define NVML_PCIE_LINK_MAX_SPEED_2500MBPS                   0x00000001
#define NVML_PCIE_LINK_MAX_SPEED_5000MBPS                   0x00000002
#define NVML_PCIE_LINK_MAX_SPEED_8000MBPS                   0x00000003
#define NVML_PCIE_LINK_MAX_SPEED_16000MBPS                  0x00000004
#define NVML_PCIE_LINK_MAX_SPEED_32000MBPS                  0x00000005
#define NVML_PCIE_LINK_MAX_SPEED_64000MBPS                  0x00000006
#define NVML_ADAPTIVE_CLOCKING_INFO_STATUS_DISABLED         0x00000000
#define NVML_ADAPTIVE_CLOCKING_INFO_STATUS_ENABLED          0x00000001
#define NVML_MAX_GPU_UTILIZATIONS                           8
#define NVML_PCIE_ATOMICS_CAP_FETCHADD32                    0x01
#define NVML_PCIE_ATOMICS_CAP_FETCHADD64                    0x02
#define NVML_PCIE_ATOMICS_CAP_SWAP32                        0x04
#define NVML_PCIE_ATOMICS_CAP_SWAP64                        0x08
#define NVML_PCIE_ATOMICS_CAP_CAS32                         0x10
#define NVML_PCIE_ATOMICS_CAP_CAS64                         0x20
#define NVML_PCIE_ATOMICS_CAP_CAS128                        0x40
#define NVML_PCIE_ATOMICS_OPS_MAX                           7
#define NVML_POWER_SCOPE_GPU                                0U
#define NVML_POWER_SCOPE_MODULE                             1U
#define NVML_POWER_SCOPE_MEMORY                             2U
#define NVML_GRID_LICENSE_EXPIRY_NOT_AVAILABLE              0
#define NVML_GRID_LICENSE_EXPIRY_INVALID                    1
#define NVML_GRID_LICENSE_EXPIRY_VALID                      2
#define NVML_GRID_LICENSE_EXPIRY_NOT_APPLICABLE             3
#define NVML_GRID_LICENSE_EXPIRY_PERMANENT                  4
#define NVML_GRID_LICENSE_BUFFER_SIZE                       128
#define NVML_VGPU_NAME_BUFFER_SIZE                          64
#define NVML_GRID_LICENSE_FEATURE_MAX_COUNT                 3
#define INVALID_GPU_INSTANCE_PROFILE_ID                     0xFFFFFFFF
#define INVALID_GPU_INSTANCE_ID                             0xFFFFFFFF
#define NVML_INVALID_VGPU_PLACEMENT_ID                      0xFFFF
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION              0 : 0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_NO           0x0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_YES          0x1
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION         0 : 0
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_NO      0x0
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_YES     0x1
#define NVML_VGPU_PGPU_HETEROGENEOUS_MODE                   0
#define NVML_VGPU_PGPU_HOMOGENEOUS_MODE                     1
#define NVML_VGPU_SCHEDULER_POLICY_UNKNOWN                  0
#define NVML_VGPU_SCHEDULER_POLICY_BEST_EFFORT              1
#define NVML_VGPU_SCHEDULER_POLICY_EQUAL_SHARE              2
#define NVML_VGPU_SCHEDULER_POLICY_FIXED_SHARE              3
#define NVML_SUPPORTED_VGPU_SCHEDULER_POLICY_COUNT          3
#define NVML_SCHEDULER_SW_MAX_LOG_ENTRIES                   200
#define NVML_VGPU_SCHEDULER_ARR_DEFAULT                     0
#define NVML_VGPU_SCHEDULER_ARR_DISABLE                     1
#define NVML_VGPU_SCHEDULER_ARR_ENABLE                      2
#define NVML_VGPU_SCHEDULER_ENGINE_TYPE_GRAPHICS            1
#define NVML_GRID_LICENSE_STATE_UNKNOWN                     0
#define NVML_GRID_LICENSE_STATE_UNINITIALIZED               1
#define NVML_GRID_LICENSE_STATE_UNLICENSED_UNRESTRICTED     2
#define NVML_GRID_LICENSE_STATE_UNLICENSED_RESTRICTED       3
#define NVML_GRID_LICENSE_STATE_UNLICENSED                  4
#define NVML_GRID_LICENSE_STATE_LICENSED                    5
#define NVML_NVLINK_LOW_POWER_THRESHOLD_UNIT_100US          0x0
#define NVML_NVLINK_LOW_POWER_THRESHOLD_UNIT_50US           0x1
#define NVML_NVLINK_POWER_STATE_HIGH_SPEED                  0x0
#define NVML_NVLINK_POWER_STATE_LOW                         0x1
#define NVML_NVLINK_LOW_POWER_THRESHOLD_MIN                 0x1
#define NVML_NVLINK_LOW_POWER_THRESHOLD_MAX                 0x1FFF
#define NVML_NVLINK_LOW_POWER_THRESHOLD_RESET               0xFFFFFFFF
#define NVML_NVLINK_LOW_POWER_THRESHOLD_DEFAULT             NVML_NVLINK_LOW_POWER_THRESHOLD_RESET
#define NVML_C2C_POWER_STATE_FULL_POWER                     0
#define NVML_C2C_POWER_STATE_LOW_POWER                      1
#define nvmlEventTypeNone                                   0x0000000000000000LL
#define nvmlEventTypeSingleBitEccError                      0x0000000000000001LL
#define nvmlEventTypeDoubleBitEccError                      0x0000000000000002LL
#define nvmlEventTypePState                                 0x0000000000000004LL
#define nvmlEventTypeXidCriticalError                       0x0000000000000008LL
#define nvmlEventTypeClock                                  0x0000000000000010LL
#define nvmlEventTypePowerSourceChange                      0x0000000000000080LL
#define nvmlEventMigConfigChange                            0x0000000000000100LL
#define nvmlEventTypeSingleBitEccErrorStorm                 0x0000000000000200LL
#define nvmlEventTypeDramRetirementEvent                    0x0000000000000400LL
#define nvmlEventTypeDramRetirementFailure                  0x0000000000000800LL
#define nvmlEventTypeNonFatalPoisonError                    0x0000000000001000LL
#define nvmlEventTypeFatalPoisonError                       0x0000000000002000LL
#define nvmlEventTypeGpuUnavailableError                    0x0000000000004000LL
#define nvmlEventTypeGpuRecoveryAction                      0x0000000000008000LL
#define nvmlEventTypeAll                                                                                               \
    (nvmlEventTypeNone | nvmlEventTypeSingleBitEccError | nvmlEventTypeDoubleBitEccError | nvmlEventTypePState |       \
     nvmlEventTypeClock | nvmlEventTypeXidCriticalError | nvmlEventTypePowerSourceChange | nvmlEventMigConfigChange |  \
     nvmlEventTypeSingleBitEccErrorStorm | nvmlEventTypeDramRetirementEvent | nvmlEventTypeDramRetirementFailure |     \
     nvmlEventTypeNonFatalPoisonError | nvmlEventTypeFatalPoisonError | nvmlEventTypeGpuUnavailableError |             \
     nvmlEventTypeGpuRecoveryAction)
#define nvmlSystemEventTypeGpuDriverUnbind             0x0000000000000001LL
#define nvmlSystemEventTypeGpuDriverBind               0x0000000000000002LL
#define nvmlSystemEventTypeCount                       2
#define nvmlClocksEventReasonGpuIdle                   0x0000000000000001LL
#define nvmlClocksEventReasonApplicationsClocksSetting 0x0000000000000002LL
#define nvmlClocksThrottleReasonUserDefinedClocks      nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksEventReasonSwPowerCap                0x0000000000000004LL
#define nvmlClocksThrottleReasonHwSlowdown             0x0000000000000008LL
#define nvmlClocksEventReasonSyncBoost                 0x0000000000000010LL
#define nvmlClocksEventReasonSwThermalSlowdown         0x0000000000000020LL
#define nvmlClocksThrottleReasonHwThermalSlowdown      0x0000000000000040LL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown   0x0000000000000080LL
#define nvmlClocksEventReasonDisplayClockSetting       0x0000000000000100LL
#define nvmlClocksEventReasonNone                      0x0000000000000000LL
#define nvmlClocksEventReasonAll                                                                                       \
    (nvmlClocksThrottleReasonNone | nvmlClocksEventReasonGpuIdle | nvmlClocksEventReasonApplicationsClocksSetting |    \
     nvmlClocksEventReasonSwPowerCap | nvmlClocksThrottleReasonHwSlowdown | nvmlClocksEventReasonSyncBoost |           \
     nvmlClocksEventReasonSwThermalSlowdown | nvmlClocksThrottleReasonHwThermalSlowdown |                              \
     nvmlClocksThrottleReasonHwPowerBrakeSlowdown | nvmlClocksEventReasonDisplayClockSetting)
#define nvmlClocksThrottleReasonGpuIdle                                   nvmlClocksEventReasonGpuIdle
#define nvmlClocksThrottleReasonApplicationsClocksSetting                 nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksThrottleReasonSyncBoost                                 nvmlClocksEventReasonSyncBoost
#define nvmlClocksThrottleReasonSwPowerCap                                nvmlClocksEventReasonSwPowerCap
#define nvmlClocksThrottleReasonSwThermalSlowdown                         nvmlClocksEventReasonSwThermalSlowdown
#define nvmlClocksThrottleReasonDisplayClockSetting                       nvmlClocksEventReasonDisplayClockSetting
#define nvmlClocksThrottleReasonNone                                      nvmlClocksEventReasonNone
#define nvmlClocksThrottleReasonAll                                       nvmlClocksEventReasonAll
#define NVML_NVFBC_SESSION_FLAG_DIFFMAP_ENABLED                           0x00000001
#define NVML_NVFBC_SESSION_FLAG_CLASSIFICATIONMAP_ENABLED                 0x00000002
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_NO_WAIT                 0x00000004
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_INFINITE                0x00000008
#define NVML_NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_TIMEOUT                 0x00000010
#define NVML_CC_SYSTEM_CPU_CAPS_NONE                                      0
#define NVML_CC_SYSTEM_CPU_CAPS_AMD_SEV                                   1
#define NVML_CC_SYSTEM_CPU_CAPS_INTEL_TDX                                 2
#define NVML_CC_SYSTEM_CPU_CAPS_AMD_SEV_SNP                               3
#define NVML_CC_SYSTEM_CPU_CAPS_AMD_SNP_VTOM                              4
#define NVML_CC_SYSTEM_GPUS_CC_NOT_CAPABLE                                0
#define NVML_CC_SYSTEM_GPUS_CC_CAPABLE                                    1
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_OFF                                  0
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_ON                                   1
#define NVML_CC_SYSTEM_ENVIRONMENT_UNAVAILABLE                            0
#define NVML_CC_SYSTEM_ENVIRONMENT_SIM                                    1
#define NVML_CC_SYSTEM_ENVIRONMENT_PROD                                   2
#define NVML_CC_SYSTEM_FEATURE_DISABLED                                   0
#define NVML_CC_SYSTEM_FEATURE_ENABLED                                    1
#define NVML_CC_SYSTEM_MULTIGPU_NONE                                      0
#define NVML_CC_SYSTEM_MULTIGPU_PROTECTED_PCIE                            1
#define NVML_CC_SYSTEM_MULTIGPU_NVLE                                      2
#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_FALSE                           0
#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_TRUE                            1
#define NVML_GPU_CERT_CHAIN_SIZE                                          0x1000
#define NVML_GPU_ATTESTATION_CERT_CHAIN_SIZE                              0x1400
#define NVML_CC_GPU_CEC_NONCE_SIZE                                        0x20
#define NVML_CC_GPU_ATTESTATION_REPORT_SIZE                               0x2000
#define NVML_CC_GPU_CEC_ATTESTATION_REPORT_SIZE                           0x1000
#define NVML_CC_CEC_ATTESTATION_REPORT_NOT_PRESENT                        0
#define NVML_CC_CEC_ATTESTATION_REPORT_PRESENT                            1
#define NVML_CC_KEY_ROTATION_THRESHOLD_ATTACKER_ADVANTAGE_MIN             50
#define NVML_CC_KEY_ROTATION_THRESHOLD_ATTACKER_ADVANTAGE_MAX             65
#define NVML_GPU_FABRIC_UUID_LEN                                          16
#define NVML_GPU_FABRIC_STATE_NOT_SUPPORTED                               0
#define NVML_GPU_FABRIC_STATE_NOT_STARTED                                 1
#define NVML_GPU_FABRIC_STATE_IN_PROGRESS                                 2
#define NVML_GPU_FABRIC_STATE_COMPLETED                                   3
#define NVML_GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_NOT_SUPPORTED             0
#define NVML_GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_TRUE                      1
#define NVML_GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_FALSE                     2
#define NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_DEGRADED_BW                     0
#define NVML_GPU_FABRIC_HEALTH_MASK_WIDTH_DEGRADED_BW                     0x3
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_NOT_SUPPORTED          0
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_TRUE                   1
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_FALSE                  2
#define NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_ROUTE_RECOVERY                  2
#define NVML_GPU_FABRIC_HEALTH_MASK_WIDTH_ROUTE_RECOVERY                  0x3
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_NOT_SUPPORTED         0
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_TRUE                  1
#define NVML_GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_FALSE                 2
#define NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_ROUTE_UNHEALTHY                 4
#define NVML_GPU_FABRIC_HEALTH_MASK_WIDTH_ROUTE_UNHEALTHY                 0x3
#define NVML_GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_NOT_SUPPORTED 0
#define NVML_GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_TRUE          1
#define NVML_GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_FALSE         2
#define NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_ACCESS_TIMEOUT_RECOVERY         6
#define NVML_GPU_FABRIC_HEALTH_MASK_WIDTH_ACCESS_TIMEOUT_RECOVERY         0x3
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NOT_SUPPORTED 0
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NONE          1
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INCORRECT_SYSGUID    2
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INCORRECT_CHASSIS_SN 3
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NO_PARTITION         4
#define NVML_GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INSUFFICIENT_NVLINKS 5
#define NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_INCORRECT_CONFIGURATION                8
#define NVML_GPU_FABRIC_HEALTH_MASK_WIDTH_INCORRECT_CONFIGURATION                0xf
#define NVML_GPU_FABRIC_HEALTH_SUMMARY_NOT_SUPPORTED                             0
#define NVML_GPU_FABRIC_HEALTH_SUMMARY_HEALTHY                                   1
#define NVML_GPU_FABRIC_HEALTH_SUMMARY_UNHEALTHY                                 2
#define NVML_GPU_FABRIC_HEALTH_SUMMARY_LIMITED_CAPACITY                          3
#define NVML_GPU_FABRIC_HEALTH_GET(var, type)                                                                          \
    (((var) >> NVML_GPU_FABRIC_HEALTH_MASK_SHIFT##type) & (NVML_GPU_FABRIC_HEALTH_MASK_WIDTH##type))
#define NVML_GPU_FABRIC_HEALTH_TEST(var, type, val)                                                                    \
    (NVML_GPU_FABRIC_HEALTH_GET(var, type) == NVML_GPU_FABRIC_HEALTH_MASK##type##val)
#define NVML_AFFINITY_SCOPE_NODE       0
#define NVML_AFFINITY_SCOPE_SOCKET     1
#define NVML_NVLINK_BER_MANTISSA_SHIFT 8
#define NVML_NVLINK_BER_MANTISSA_WIDTH 0xf
#define NVML_NVLINK_BER_EXP_SHIFT      0
#define NVML_NVLINK_BER_EXP_WIDTH      0xff
#define NVML_NVLINK_ERROR_COUNTER_BER_GET(var, type)                                                                   \
    (((var) >> NVML_NVLINK_##type##_SHIFT) & (NVML_NVLINK_##type##_WIDTH))
#define NVML_NVLINK_STATE_INACTIVE                  0x0
#define NVML_NVLINK_STATE_ACTIVE                    0x1
#define NVML_NVLINK_STATE_SLEEP                     0x2
#define NVML_NVLINK_TOTAL_SUPPORTED_BW_MODES        23
#define NVML_NVLINK_FIRMWARE_UCODE_TYPE_MSE         0x1
#define NVML_NVLINK_FIRMWARE_UCODE_TYPE_NETIR       0x2
#define NVML_NVLINK_FIRMWARE_UCODE_TYPE_NETIR_UPHY  0x3
#define NVML_NVLINK_FIRMWARE_UCODE_TYPE_NETIR_CLN   0x4
#define NVML_NVLINK_FIRMWARE_UCODE_TYPE_NETIR_DLN   0x5
#define NVML_NVLINK_FIRMWARE_VERSION_LENGTH         100
#define NVML_PRM_DATA_MAX_SIZE                      496
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE           0x0
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE           0x1
#define NVML_GPU_INSTANCE_PROFILE_3_SLICE           0x2
#define NVML_GPU_INSTANCE_PROFILE_4_SLICE           0x3
#define NVML_GPU_INSTANCE_PROFILE_7_SLICE           0x4
#define NVML_GPU_INSTANCE_PROFILE_8_SLICE           0x5
#define NVML_GPU_INSTANCE_PROFILE_6_SLICE           0x6
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV1      0x7
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_REV1      0x8
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV2      0x9
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_GFX       0x0A
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_GFX       0x0B
#define NVML_GPU_INSTANCE_PROFILE_4_SLICE_GFX       0x0C
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_NO_ME     0x0D
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_NO_ME     0x0E
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_ALL_ME    0x0F
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_ALL_ME    0x10
#define NVML_GPU_INSTANCE_PROFILE_COUNT             0x11
#define NVML_GPU_INSTANCE_PROFILE_CAPS_P2P          0x1
#define NVML_GPU_INTSTANCE_PROFILE_CAPS_P2P         0x1
#define NVML_GPU_INSTANCE_PROFILE_CAPS_GFX          0x2
#define NVML_COMPUTE_INSTANCE_PROFILE_CAPS_GFX      0x1
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE       0x0
#define NVML_COMPUTE_INSTANCE_PROFILE_2_SLICE       0x1
#define NVML_COMPUTE_INSTANCE_PROFILE_3_SLICE       0x2
#define NVML_COMPUTE_INSTANCE_PROFILE_4_SLICE       0x3
#define NVML_COMPUTE_INSTANCE_PROFILE_7_SLICE       0x4
#define NVML_COMPUTE_INSTANCE_PROFILE_8_SLICE       0x5
#define NVML_COMPUTE_INSTANCE_PROFILE_6_SLICE       0x6
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE_REV1  0x7
#define NVML_COMPUTE_INSTANCE_PROFILE_COUNT         0x8
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED 0x0
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_COUNT  0x1
#define NVML_GPM_METRICS_GET_VERSION                1
#define NVML_GPM_SUPPORT_VERSION                    1
#define NVML_DEV_CAP_EGM                            (1 << 0)
#define NVML_255_MASK_BITS_PER_ELEM                 32
#define NVML_255_MASK_NUM_ELEMS                     8
#define NVML_255_MASK_BIT_SET(index, nvmlMask)                                                                         \
    nvmlMask.mask[index / NVML_255_MASK_BITS_PER_ELEM] |= (1 << (index % NVML_255_MASK_BITS_PER_ELEM))
#define NVML_255_MASK_BIT_GET(index, nvmlMask)                                                                         \
    nvmlMask.mask[index / NVML_255_MASK_BITS_PER_ELEM] & (1 << (index % NVML_255_MASK_BITS_PER_ELEM))
#define NVML_255_MASK_BIT_SET_PTR(index, nvmlMask)                                                                     \
    nvmlMask->mask[index / NVML_255_MASK_BITS_PER_ELEM] |= (1 << (index % NVML_255_MASK_BITS_PER_ELEM))
#define NVML_255_MASK_BIT_GET_PTR(index, nvmlMask)                                                                     \
    nvmlMask->mask[index / NVML_255_MASK_BITS_PER_ELEM] & (1 << (index % NVML_255_MASK_BITS_PER_ELEM))
#define NVML_WORKLOAD_POWER_MAX_PROFILES                        (255)
#define NVML_POWER_SMOOTHING_IDX_FROM_FIELD_VAL(field_val)      (field_val - NVML_FI_PWR_SMOOTHING_ENABLED)
#define NVML_POWER_SMOOTHING_MAX_NUM_PROFILES                   5
#define NVML_POWER_SMOOTHING_NUM_PROFILE_PARAMS                 4
#define NVML_POWER_SMOOTHING_ADMIN_OVERRIDE_NOT_SET             0xFFFFFFFFU
#define NVML_POWER_SMOOTHING_PROFILE_PARAM_PERCENT_TMP_FLOOR    0
#define NVML_POWER_SMOOTHING_PROFILE_PARAM_RAMP_UP_RATE         1
#define NVML_POWER_SMOOTHING_PROFILE_PARAM_RAMP_DOWN_RATE       2
#define NVML_POWER_SMOOTHING_PROFILE_PARAM_RAMP_DOWN_HYSTERESIS 3
#endif
