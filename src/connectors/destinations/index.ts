/** Where finished files are taken to. */
export {
  type DestinationClientOptions,
  type DestinationContractCase,
  type DestinationContractWorld,
  destinationContract,
  type RemoteDestinationContractCase,
  type RemoteDestinationContractWorld,
  remoteDestinationContract,
  type SmallDisk,
} from "./destination.contract.ts";
export type { Destination, DestinationAbout, Parcel, SendOptions, Sent, SentParcel } from "./destination.ts";
export { type DestinationTruth, DestinationWorld } from "./destination-world.ts";
export {
  type DestinationCall,
  type FakeDestination,
  type FakeDestinationOptions,
  type FakeVisitor,
  fakeDestination,
} from "./fake-destination.ts";
export { type FolderOptions, folderDestination } from "./folder.ts";
export { partPath } from "./places.ts";
export { type SftpOptions, sftpDestination } from "./sftp/sftp.ts";
export { fileSha256 } from "./source-file.ts";
