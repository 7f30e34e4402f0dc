// Guards whose absence changes nothing that can be observed, each with its proof. An entry that no longer names a guard is an
// error.

const identity =
  "The column is an identity that is always generated, so each number is given out once; the key is its index.";
const skips =
  "A select that skips what is locked never waits, so no order of it can deadlock. It says who is served first.";
const indexed =
  "A check on the table ties it to the epoch in the predicate beside it. It is there to make the partial index usable.";

const counted =
  "How many are held is joined to places by their lane, and where that has no limit nobody asks. It saves counting the others.";

const asked =
  "What writes the answer asks the same. Without this one it is asked in vain until the caller gives up, with the same answer.";

export const equivalent: Readonly<Record<string, string>> = {
  "up: sluice.lane primary key of id": identity,
  "up: sluice.service primary key of id": identity,
  "up: sluice.valve primary key of id": identity,
  "up: sluice.worker primary key of id": identity,
  "up: sluice.question primary key of id": identity,
  "up: sluice.audit primary key of id": identity,
  "up: sluice.operation primary key of id": identity,
  "reclaim: order by r.id": skips,
  "held-by: order by r.id":
    "What is read here is locked by a statement that skips what is locked. It says who is taken back first.",
  "wake-signalled: order by w.run_id": skips,
  "wake-joined: order by w.run_id": skips,
  "wake-followers: order by w.run_id": skips,
  "answer-overdue: order by q.run_id": skips,
  "question: q.withdrawn_at is null": asked,
  "question: r.state = 0": asked,
  "take-removals: order by d.due_at": skips,
  "held-by: r.state <> 0": indexed,
  "workers-uncleared: state <> 0": indexed,
  "watch-round: state <> 0": indexed,
  "manual-lanes: state = 0": "A lane too many is asked for in vain. It is there to make the partial index usable.",
  "claimFairWhere: r.lane = any (array (select lane from place where per_key is not null))": counted,
  "claimFairWhere: per_key is not null": counted,
  "settleText: r.version + 1 (2)":
    "A retry goes on from the version stored here and adds one itself, so it begins above every fence.",
  "spawned-by: completed + failed + cancelled < total":
    "A request that is over has no living items, and only those are asked for next. It saves looking for them.",
};
