import type { Service } from "./start-stop.ts";

/**
 * Several services as one: started in order, stopped in reverse, one after the other. When one cannot start, it and
 * those before it are stopped and its error is thrown. Every service is asked to stop even if another fails to.
 */
export function together(services: readonly Service[]): Service {
  const started: Service[] = [];
  let stopped = false;
  let starting: Promise<void> | undefined;
  let ending: Promise<void> | undefined;

  async function startAll(): Promise<void> {
    for (const service of services) {
      if (stopped) return;
      // Noted before it runs: one that failed half-way may have something to put away.
      started.push(service);
      await service.start();
    }
  }

  async function stopAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const service of started.reverse()) {
      try {
        await service.stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} services failed to stop`);
  }

  return {
    async start() {
      if (stopped) return;
      starting ??= startAll().catch(async (error: unknown) => {
        stopped = true;
        ending ??= stopAll();
        const failures = await ending.then(
          () => [],
          (second: unknown) => [second],
        );
        throw failures.length === 0 ? error : new AggregateError([error, ...failures], "start failed, and so did stop");
      });
      await starting;
    },
    async stop() {
      stopped = true;
      // A start under way is let to its end first; its error belongs to whoever called start().
      await starting?.catch(() => undefined);
      ending ??= stopAll();
      await ending;
    },
  };
}
