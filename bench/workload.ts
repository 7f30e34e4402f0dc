export const STAGES = 4;
export const BATCH = 500;
export const CONNECTIONS = 3;

export const payload = (index: number) => ({
  index,
  item: `movie-${index}`,
  title: "The Benchmark",
  profile: "h265-1080p",
});
