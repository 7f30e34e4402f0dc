/** Conversion gateways: PDF to XML. */
export { GATEWAY_CODES, type GatewayCode, isGatewayCode } from "./codes.ts";
export { type DoclingOptions, doclingJobs } from "./docling.ts";
export { DOCLING_MAPPINGS, DOCLING_NAMESPACE } from "./docling-xml.ts";
export { MAPPINGS as GATEWAY_MAPPINGS, NAMESPACE as DOCUMENT_NAMESPACE } from "./embedded/format.ts";
export { GATEWAY_LIMITS, type GatewayLimits } from "./embedded/limits.ts";
export { findGateway, type GatewayPlace } from "./embedded/notes.ts";
export { type GatewayServer, type GatewayServerOptions, serveGateway } from "./embedded/server.ts";
export {
  type FakeGateway,
  type FakeGatewayOptions,
  fakeGateway,
  type GatewayCall,
  type GatewayTrouble,
  type ScriptedStatus,
} from "./fake-gateway.ts";
export {
  type FakeGatewayJobs,
  type FakeGatewayJobsOptions,
  fakeGatewayJobs,
  type GatewayJobsCall,
} from "./fake-gateway-jobs.ts";
export { type GatewayContractCase, type GatewayContractWorld, gatewayContract } from "./gateway.contract.ts";
export type { Converted, ConvertOrder, ConvertSource, Gateway, GatewayAbout, GatewayJobs } from "./gateway.ts";
export { type GatewayTruth, GatewayWorld, type GatewayWorldOptions, isPdf } from "./gateway-world.ts";
export { GATEWAY_TIMEOUT_MS, type GatewayPreset, type HttpGatewayOptions, httpGateway } from "./http-gateway.ts";
export { plainName } from "./multipart.ts";
export type { StatusRules } from "./status-rules.ts";
