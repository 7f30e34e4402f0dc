// The few statements the embedded server itself needs.

export const systemIdentifier = {
  name: "embedded_system_identifier",
  text: "select system_identifier::text as system_identifier from pg_control_system()",
};

/** Collation and encoding come from the template, which initdb made C and UTF8. */
export const createDatabase = {
  name: "embedded_create_database",
  text: "create database sluice",
};
