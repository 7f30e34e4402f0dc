// Which lanes a valve covers. One fragment, because claim, hand-off and explain must never disagree about it.

/** True for a closed valve `v` that covers lane `l` of pipeline version `p`. */
export const closedAndCovers = `v.closed
      and (v.pipeline is null or v.pipeline = p.name)
      and (v.version is null or v.version = p.version)
      and (v.stage is null or v.stage = p.stages[l.stage + 1])
      and (v.service is null or v.service = l.service)`;

/** True where some closed valve covers lane `l` of pipeline version `p`. Tens of rows at most, so no index is wanted. */
export const closedValveCovers = `exists (
    select from sluice.valve v
    where ${closedAndCovers})`;
