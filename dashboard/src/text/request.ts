import { count } from "./format.ts";

export const request = {
  noSuch: (id: string) =>
    `There is no request ${id}. It may have been removed, or have been done longer ago than is kept.`,
  items: "Its items",
  statuses: {
    PENDING: "Pending",
    PROCESSING: "In work",
    COMPLETED: "Done",
    PARTIAL: "Done in part",
    FAILED: "Failed",
    CANCELLED: "Cancelled",
  },
  counts: (total: number, completed: number) => `${count(completed)} of ${count(total)} done`,
  failed: (items: number) => `${count(items)} failed`,
  cancelled: (items: number) => `${count(items)} cancelled`,
  progress: "How far it is",
  owners: "For",
  cancel: "Cancel all of it",
  cancelAbout: (items: number) =>
    items === 1
      ? "1 item that is not done yet is cancelled. What is done stays."
      : `${count(items)} items that are not done yet are cancelled. What is done stays.`,
  allItems: "Show them in Work",
  firstItems: (items: number) => `These are the newest ${count(items)}; Work shows all of them.`,
} as const;
