// One job in an encoder's hands: it comes to the source, has it encoded, and brings back the film. Everything in it can be begun again:
// what was fetched, encoded or sent before is found and not done twice.

import { rm } from "node:fs/promises";
import type { EncodeOutcome, Encoder, SeenEncode } from "../../../connectors/index.ts";
import { Fault, SluiceError } from "../../../engine/index.ts";
import { type Clock, safeText } from "../../../kit/index.ts";
import { type AgentFolders, seesFolder, seesSource } from "./agent-files.ts";
import {
  type EncodeTask,
  type JobFailure,
  type JobPhase,
  type JobReport,
  type JobResult,
  nameOf,
  type Speaker,
  type Way,
} from "./conversation.ts";
import { SERVER } from "./speakers.ts";
import { fetchSource, sendFilm, type Transfer } from "./transfer.ts";

export interface JobPorts {
  readonly encoder: Encoder;
  readonly speaker: Speaker;
  readonly folders: AgentFolders;
  readonly clock: Clock;
  /** Of what is fetched or sent at a time. */
  readonly pieceBytes: number;
  /** Something is to be told. */
  readonly changed: () => void;
}

/** After a fault of the way between us. */
const AGAIN_MS = 3_000;

export class AgentJob {
  readonly task: EncodeTask;
  /** What the encoder knows it by; null before it was started and after it has ended. */
  ref: string | null = null;
  readonly #ports: JobPorts;
  readonly #over = new AbortController();
  #phase: JobPhase = "fetching";
  #reads: Way | null = null;
  #writes: Way | null = null;
  #seen: SeenEncode | undefined;
  #fetched = 0;
  #sent = 0;
  #result: JobResult | null = null;
  #failure: JobFailure | null = null;
  #work: Promise<void>;

  constructor(task: EncodeTask, ports: JobPorts) {
    this.task = task;
    this.#ports = ports;
    this.#work = this.#until(() => this.#prepare());
  }

  get isEnded(): boolean {
    return this.#result !== null || this.#failure !== null;
  }

  report(): JobReport {
    const { key, turn } = this.task;
    const details = this.#seen?.details;
    const marks = { fetched: this.#fetched, ...this.#seen?.marks, sent: this.#sent };
    return {
      ...{ key, turn, reads: this.#reads, writes: this.#writes, result: this.#result, failure: this.#failure },
      progress: {
        ...{ phase: this.#phase, marks, percent: this.#seen?.progress ?? null },
        ...{ frames: details?.frame ?? null, fps: details?.fps ?? null, speed: details?.speed ?? null },
        ...{ etaMs: details?.etaMs ?? null, outBytes: details?.totalBytes ?? null },
      },
    };
  }

  /** As a look at the encoder saw it. */
  saw(seen: SeenEncode): void {
    if (this.isEnded || this.#phase !== "encoding") return;
    const { state, output, fault } = seen;
    if (state === "running") this.#seen = seen;
    if (state === "failed") this.#fail(fault ?? LOST);
    if (state === "missing") this.#fail(LOST);
    if (state === "done" && output !== undefined) this.#made(output);
  }

  /** Nobody wants it any more: nothing of it is left. */
  async drop(): Promise<void> {
    this.#over.abort();
    await this.#work;
    await this.#ports.encoder.cancel(nameOf(this.task));
    if (this.#writes === "seen") await rm(this.task.output.path, { force: true });
    await this.#ports.folders.clear(this.task);
  }

  /** The board knows how it ended: what it made stays. */
  async forget(): Promise<void> {
    this.#over.abort();
    await this.#work;
    await this.#ports.encoder.cancel(nameOf(this.task));
    await this.#ports.folders.clear(this.task);
  }

  async #prepare(): Promise<void> {
    const { task } = this;
    const { folders, encoder } = this.#ports;
    this.#reads = (await seesSource(task.source)) ? "seen" : "sent";
    this.#writes = (await seesFolder(task.output)) ? "seen" : "sent";
    await folders.prepare();
    const input = this.#reads === "seen" ? task.source.path : folders.inputOf(task);
    if (this.#reads === "sent")
      await fetchSource(
        task,
        input,
        this.#transfer((bytes) => (this.#fetched = bytes)),
      );
    const output = this.#writes === "seen" ? task.output.path : folders.outputOf(task);
    this.#over.signal.throwIfAborted();
    this.ref = await encoder.start({ key: nameOf(task), input, output, profile: task.profile });
    this.#phase = "encoding";
    this.#ports.changed();
  }

  #transfer(moved: (bytes: number) => void): Transfer {
    const { speaker, pieceBytes } = this.#ports;
    return { speaker, pieceBytes, signal: this.#over.signal, moved };
  }

  #made(output: EncodeOutcome): void {
    this.ref = null;
    const result = resultOf(output);
    if (output.kind === "larger" || this.#writes === "seen") {
      this.#end(result);
      return;
    }
    this.#phase = "sending";
    this.#work = this.#until(async () => {
      await sendFilm(
        this.task,
        output.file,
        this.#transfer((sent) => (this.#sent = sent)),
      );
      this.#end(result);
    });
  }

  #end(result: JobResult): void {
    this.#result = result;
    this.#ports.changed();
  }

  #fail({ kind, code, message }: Pick<Fault, "kind" | "code" | "message">): void {
    this.ref = null;
    this.#failure = { kind, code, message: safeText(message, MESSAGE_BYTES) };
    this.#ports.changed();
  }

  /**
   * What is wrong with the way between us passes, or the board lets others have it; what is wrong with the job, or with this machine, is
   * told. What arrives wrong again and again is: it is no accident of the line.
   */
  async #until(act: () => Promise<void>): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#over;
    let wrong = 0;
    for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
      try {
        return await act();
      } catch (error) {
        if (signal.aborted) return;
        const fault = faultOf(error);
        if (fault.code === "BAD_TRANSFER") wrong += 1;
        if (isForGood(fault) || wrong === WRONG_MOST || tries === TRIES - 1) return this.#fail(fault);
        await clock.sleep(AGAIN_MS, signal);
      }
    }
  }
}

const MESSAGE_BYTES = 1_000;
/** Some hours; long before that the board has given it to another, or the stage has given it up. */
const TRIES = 5_000;
const WRONG_MOST = 5;
const LOST = { kind: "transient", code: "LOST", message: "the encoder no longer knows the job" } as const;

function resultOf(output: EncodeOutcome): JobResult {
  if (output.kind === "larger") return { kind: "larger", reason: output.reason };
  const { bytes, durationMs, width, height } = output;
  return { kind: "made", bytes, durationMs, width, height };
}

/** For the job, or for this encoder: its disk is full, its program is gone. */
const isForGood = ({ kind, service }: JobFault): boolean =>
  kind === "permanent" || (kind === "unavailable" && service !== SERVER);

type JobFault = Pick<Fault, "kind" | "code" | "message"> & { readonly service?: string };

function faultOf(error: unknown): JobFault {
  if (error instanceof Fault) return error;
  if (error instanceof SluiceError) return { kind: "permanent", code: error.code, message: error.message };
  return { kind: "transient", code: "UNKNOWN", message: safeText(error, MESSAGE_BYTES) };
}
