import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Refusal } from "./api/ask.ts";
import { makeRouter } from "./router.tsx";
import "./style.css";

/** What the server refuses it refuses again; what it did not hear is worth another try. */
const isWorthTrying = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500);

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, retry: isWorthTrying, refetchOnWindowFocus: false } },
});
const router = makeRouter();
const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the app");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
