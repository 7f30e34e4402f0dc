import { describe, expect, it } from "vitest";
import { type Script, scriptOf } from "./faults.ts";
import { JobBook, told } from "./job-book.ts";

const well = scriptOf([]);
const asked = { seconds: 10, bytes: 100, file: "film.mp4" };
const begun = (count: number, book = new JobBook(2)) => {
  for (let n = 1; n <= count; n += 1) book.start(`k${n}`, null, asked);
  return book;
};
const statuses = (book: JobBook, script: Script = well) =>
  book.byPrefix("k").map((job) => {
    const { status, progress } = told(job, script);
    return `${status} ${progress}`;
  });

describe("the jobs of a service", () => {
  it("are worked on a few at a time, in their order", () => {
    const book = begun(3);
    expect(statuses(book)).toEqual(["queued 0", "queued 0", "queued 0"]);
    expect(book.advance(5, well)).toEqual({ ended: [], isNews: true });
    expect(statuses(book)).toEqual(["running 50", "running 50", "queued 0"]);
    expect(book.advance(1, well).isNews).toBe(false);
    expect(book.advance(5, well).ended.map(({ key }) => key)).toEqual(["k1", "k2"]);
    expect(statuses(book)).toEqual(["done 100", "done 100", "running 50"]);
  });

  it("hand on a file of their own when they are done, and not before", () => {
    const book = begun(1);
    const [job] = book.byKey("k1");
    expect(job && told(job, well).result).toBeUndefined();
    book.advance(10, well);
    expect(job && told(job, well).result).toEqual({ file: "job-1-film.mp4", bytes: 100 });
  });

  it("are found by key, id and prefix, and gone when they are cancelled", () => {
    const book = begun(2);
    expect(book.byIds(["job-2", "job-9"]).map(({ key }) => key)).toEqual(["k2"]);
    expect(book.byKey("k")).toEqual([]);
    expect(book.cancel("job-2")).toBe(true);
    expect(book.cancel("job-2")).toBe(false);
    expect(book.byPrefix("k")).toHaveLength(1);
  });

  it("need room until they are done", () => {
    const book = begun(2);
    expect(book.reserved()).toBe(200);
    book.advance(10, well);
    expect(book.reserved()).toBe(0);
  });

  it("go on after a stop where they were, and no name is given twice", () => {
    const book = begun(1);
    book.advance(5, well);
    const again = new JobBook(2, JSON.parse(JSON.stringify(book.stored())));
    expect(statuses(again)).toEqual(["running 50"]);
    expect(again.start("k2", null, asked).id).toBe("job-2");
  });

  it("are forgotten when they have been over for long", () => {
    const book = new JobBook(1_000);
    begun(310, book).advance(10, well);
    expect(book.byPrefix("k")).toHaveLength(300);
    expect(book.byKey("k1")).toEqual([]);
  });
});

describe("with a fault", () => {
  it("slow takes ten times as long, and stall for ever", () => {
    const book = begun(1);
    book.advance(10, scriptOf(["slow"]));
    expect(statuses(book)).toEqual(["running 10"]);
    book.advance(1_000, scriptOf(["stall"]));
    expect(statuses(book)).toEqual(["running 10"]);
  });

  it("lie says done at half of it, and the truth once it is mended", () => {
    const book = begun(1);
    book.advance(5, well);
    expect(statuses(book, scriptOf(["lie"]))).toEqual(["done 100"]);
    expect(book.byKey("k1")[0]?.status).toBe("running");
    expect(statuses(book)).toEqual(["running 50"]);
  });

  it("lose forgets what has begun, and makes room for others", () => {
    const book = begun(3);
    expect(book.advance(3, scriptOf(["lose"]))).toEqual({ ended: [], isNews: true });
    expect(statuses(book)).toEqual([]);
  });
});
