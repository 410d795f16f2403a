/**
 * The tables that are partitioned by the months of their ids, each with the column of the id. Their partitions are made,
 * detached and archived alike.
 */
export const growingTables = {
  audit_log: 'audit_id',
  events: 'event_id',
  inquiries: 'inquiry_id',
  rate_quotes: 'org_rate_id',
} as const

export type GrowingTable = keyof typeof growingTables

export const isGrowingTable = (name: string): name is GrowingTable => name in growingTables

/** A partition, which holds the ids from `fromId` to before `toId`. */
export interface Partition {
  table: GrowingTable
  name: string
  fromId: string
  toId: string
}
