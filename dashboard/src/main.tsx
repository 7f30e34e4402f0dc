import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { makeClient } from "./api/client.ts";
import { makeRouter } from "./router.tsx";
import "./style.css";

const client = makeClient();
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
