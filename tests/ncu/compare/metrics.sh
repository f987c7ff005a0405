# SPDX-License-Identifier: Apache-2.0
# What nvidia.sh and compare.sh share: the metrics that are compared, in groups (each one or more runs of NVIDIA's ncu), and the form of their
# lines.
groups="structural launch sass"
lsu=l1tex__t_requests_pipe_lsu_mem tag=l1tex__t_sectors_pipe_lsu_mem data=l1tex__data_pipe_lsu_wavefronts_mem_shared
bank=l1tex__data_bank_conflicts_pipe_lsu_mem_shared on=smsp__sass_thread_inst_executed_op
structural=${lsu}_global_op_ld.sum,${lsu}_global_op_st.sum,${lsu}_global_op_atom.sum,${lsu}_global_op_red.sum
structural=$structural,${tag}_global_op_ld.sum,${tag}_global_op_st.sum,${tag}_global_op_atom.sum,${tag}_global_op_red.sum
structural=$structural,${lsu}_local_op_ld.sum,${lsu}_local_op_st.sum,${tag}_local_op_ld.sum,${tag}_local_op_st.sum
structural=$structural,${data}_op_ld.sum,${data}_op_st.sum,${data}_op_atom.sum,${bank}_op_ld.sum,${bank}_op_st.sum,${bank}_op_atom.sum
structural=$structural,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,smsp__inst_executed_op_global_ld.sum
structural=$structural,smsp__inst_executed_op_global_st.sum,smsp__inst_executed.sum,smsp__thread_inst_executed.sum
structural=$structural,smsp__thread_inst_executed_per_inst_executed.ratio,smsp__warps_launched.sum
sass=${on}_fadd_pred_on.sum,${on}_fmul_pred_on.sum,${on}_ffma_pred_on.sum,${on}_dadd_pred_on.sum,${on}_dmul_pred_on.sum
sass=$sass,${on}_dfma_pred_on.sum,${on}_hadd_pred_on.sum,${on}_hmul_pred_on.sum,${on}_hfma_pred_on.sum
sass=$sass,smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum
sass=$sass,memory_l2_theoretical_sectors_global,memory_l2_theoretical_sectors_global_ideal,memory_l1_wavefronts_shared
sass=$sass,memory_l1_wavefronts_shared_ideal
launch=launch__grid_size,launch__block_size,launch__thread_count,launch__registers_per_thread
launch=$launch,launch__shared_mem_per_block_static,launch__shared_mem_per_block_dynamic,launch__waves_per_multiprocessor
launch=$launch,launch__occupancy_limit_blocks,launch__occupancy_limit_registers,launch__occupancy_limit_shared_mem
launch=$launch,launch__occupancy_limit_warps,sm__maximum_warps_per_active_cycle_pct

# Lines of --csv --page details, made short: program,launch,kernel,grid,block,metric,value.
compact() { # PROGRAM
    awk -v program="$1" -F'","' '
        function shape(s) { gsub(/[() "]/, "", s); gsub(/,/, "x", s); return s }
        /^"ID"/ {
            for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); at[name] = i }
            next
        }
        at["Metric Name"] && /^"[0-9]+"/ {
            id = $1; value = $at["Metric Value"]; kernel = $at["Kernel Name"]
            gsub(/[",]/, "", id); gsub(/[",\r]/, "", value); gsub(/[",]/, "", kernel)
            sub(/^void /, "", kernel); sub(/[<(].*/, "", kernel)
            if ($at["Metric Name"] != "")
                print program "," id "," kernel "," shape($at["Grid Size"]) "," shape($at["Block Size"]) "," $at["Metric Name"] "," value
        }'
}
