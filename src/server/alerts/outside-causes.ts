// What is wrong around the work: services, workers, disks, and channels themselves. Each rule is a function from the facts to
// causes. Pure.

import { type ServiceState, timeWords } from "../../engine/index.ts";
import { describeDuration } from "../../kit/index.ts";
import { type Cause, type DiskFacts, type Facts, few, many } from "./cause.ts";
import { type RuleSettings, settingOf } from "./rule.ts";

export function serviceCauses(facts: Facts): Cause[] {
  return facts.services.filter(({ state }) => state === "down").map((service) => serviceCause(facts, service));
}

function serviceCause(facts: Facts, service: ServiceState): Cause {
  const { name, since, until, code, message } = service;
  const times = timeWords(facts.now);
  const lanes = facts.lanes.filter((lane) => lane.service === name);
  const count = lanes.reduce((sum, lane) => sum + lane.due + lane.down, 0);
  const isAuth = code === "AUTH";
  const why = message === null ? "" : `: ${message.replace(/[.\s]+$/, "")}`;
  const behind =
    count === 0
      ? "Nothing waits for it yet."
      : `${many(count, "item")} ${count === 1 ? "waits" : "wait"} for it; none spends an attempt on that.`;
  const checked = until === null ? "" : `; checked again at ${times.at(until)}`;
  return {
    rule: "service-down",
    key: `service-down/${name}`,
    count,
    title: isAuth ? `${name} refuses our credentials` : `${name} is not answering`,
    sentence: `${name} ${isAuth ? "has refused our credentials" : "has not answered"} since ${times.since(since)}${why}. ${behind}`,
    byItself: isAuth
      ? `Needs you: renew the credentials. Then it all goes on${checked}.`
      : `They go on by themselves when it answers${checked}.`,
    since,
    examples: few(lanes.flatMap(({ oldest }) => oldest)),
    pipelines: [...new Set(lanes.map(({ pipeline }) => pipeline))],
    services: [name],
  };
}

export function workerCauses(facts: Facts): Cause[] {
  const times = timeWords(facts.now);
  return facts.gone.map(({ name, at, pipelines, services }) => ({
    rule: "worker-offline",
    key: `worker-offline/${name}`,
    count: 1,
    title: `Worker ${name} is offline`,
    sentence: `Worker ${name} has not been heard of since ${times.since(at)}, and it had not said goodbye.`,
    byItself:
      "What it held was taken back, and other workers do it. It is over when a worker of that name starts, or new ones that do all of its work.",
    since: at,
    examples: [],
    pipelines,
    services,
  }));
}

export function encoderCauses(facts: Facts): Cause[] {
  const times = timeWords(facts.now);
  return facts.encoders.map(({ name, at }) => ({
    rule: "encoder-offline",
    key: `encoder-offline/${name}`,
    count: 1,
    title: `Encoder ${name} is offline`,
    sentence: `Encoder ${name} has not been heard of since ${times.since(at)}, and it had not said goodbye.`,
    byItself:
      "What it had goes to other encoders; without one that can make it, it waits. It is over when the encoder speaks again, or is removed or switched off.",
    since: at,
    examples: [],
  }));
}

const GIB = 1024 ** 3;

export function diskCauses({ disks }: Facts, settings: RuleSettings): Cause[] {
  const isLow = ({ free, size }: DiskFacts) =>
    free < settingOf(settings, "belowBytes") || free < (size * settingOf(settings, "belowPercent")) / 100;
  return disks.filter(isLow).map(({ host, uses, path, free, size }) => ({
    rule: "disk-low",
    key: `disk-low/${host}:${path}`,
    count: 1,
    title: `The disk of ${uses.join(", ")} on ${host} is nearly full`,
    sentence: `${(free / GIB).toFixed(1)} of ${(size / GIB).toFixed(1)} GiB are free on ${host} at ${path} (${uses.join(", ")}).`,
    byItself: "Nothing: what finds no room waits and is tried again until there is some.",
    since: null,
    examples: [],
  }));
}

export function channelCauses(facts: Facts): Cause[] {
  return facts.failing.map(({ id, name, since, tries, why, waiting }) => ({
    rule: "channel-failing",
    key: `channel-failing/${id}`,
    count: waiting,
    title: `Messages to ${name} do not get through`,
    sentence: `Nothing has reached the channel ${name} for ${describeDuration(facts.now.getTime() - since.getTime())}, in ${many(tries, "try", "tries")}: ${why.replace(/[.\s]+$/, "")}.`,
    byItself: "It is tried again for a day; what is older than that is given up.",
    since,
    examples: [],
  }));
}
