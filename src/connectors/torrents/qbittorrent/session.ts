// Being let in, once, and again where it was forgotten. A wrong password is tried once and then left alone: after five of them
// qBittorrent bans the address for an hour, with everybody who shares it.
//
//   up to 5.1   200 "Ok." with a cookie · 200 "Fails."
//   from 5.2    204 with a cookie · 401                         or an API key, and no log-in at all
//   all         403 to a log-in: banned · 403 to anything else: no session, or one that ran out

import { type Fault, unavailable } from "../../../engine/index.ts";
import { type Clock, Gate } from "../../../kit/index.ts";
import type { Answer, GuardedClient, GuardedRequest } from "../../kit/index.ts";

export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface SessionOptions {
  readonly http: GuardedClient;
  /** Absent with an API key, and where qBittorrent lets this address in without. */
  readonly login: Login | undefined;
  readonly clock: Clock;
  /** The client remembers nothing of what was said before. */
  readonly onNew: () => void;
}

/** How long a refusal stands before it is tried again. Five tries an hour are a ban. */
const REFUSED_MS = 15 * 60_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #door = new Gate(1);
  /** How many there have been. */
  #life = 0;
  #refusal: { readonly fault: Fault; readonly untilMs: number } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Changes whenever there is a new one, for what is only known of one. */
  get life(): number {
    return this.#life;
  }

  /** Any status is an answer, but for those that say who may. What is asked is made anew for every try. */
  async send(ask: () => GuardedRequest): Promise<Answer> {
    const { http, login } = this.#options;
    if (this.#life === 0 && login !== undefined) await this.#renew(0, ask().signal);
    const life = this.#life;
    const answer = await http.send(ask());
    if (answer.status !== 403 || login === undefined) return this.#admitted(answer);
    await this.#renew(life, ask().signal);
    return this.#admitted(await http.send(ask()));
  }

  #admitted(answer: Answer): Answer {
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const { service } = this.#options.http;
    const why =
      answer.status === 401
        ? "401: a wrong key, or a name or origin that it does not take requests for"
        : "403: it wants to be logged in to";
    throw unavailable("AUTH", `${service} refused a request with ${why}`, { service });
  }

  /** One at a time: whoever waited finds that it was done. */
  async #renew(seen: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#door.pass(async () => {
      if (this.#life !== seen) return;
      const { clock, http, onNew } = this.#options;
      if (this.#refusal !== undefined && clock.monotonic() < this.#refusal.untilMs) throw this.#refusal.fault;
      http.forgetCookies();
      const refusal = await this.#logIn(signal);
      if (refusal !== undefined) {
        this.#refusal = { fault: refusal, untilMs: clock.monotonic() + REFUSED_MS };
        throw refusal;
      }
      this.#refusal = undefined;
      this.#life += 1;
      onNew();
    });
  }

  async #logIn(signal: AbortSignal | undefined): Promise<Fault | undefined> {
    const { http, login } = this.#options;
    const { service } = http;
    const answer = await http.send({
      method: "POST",
      url: "auth/login",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...login }).toString(),
      signal,
    });
    const auth = (why: string) => unavailable("AUTH", `${service} ${why}`, { service });
    if (answer.status === 401) return auth("does not take this name and password");
    if (answer.status === 403) return auth("has banned this address for too many wrong passwords");
    if (answer.status < 200 || answer.status > 299) throw http.faultOf(answer, "POST auth/login");
    // The one word that has ever been sent with 200 for a password that is wrong.
    if (answer.body.toString("latin1", 0, 20).trim() === "Fails.") return auth("does not take this name and password");
    return undefined;
  }
}
