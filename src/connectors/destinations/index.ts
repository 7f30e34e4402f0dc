/** Where finished files are taken to. */
export type { Destination, DestinationAbout, Parcel, SendOptions, Sent, SentParcel } from "./destination.ts";
export { type FolderOptions, folderDestination } from "./folder.ts";
export { partPath } from "./places.ts";
export { type SftpOptions, sftpDestination } from "./sftp/sftp.ts";
