import { connectDatabase } from '@switchyard/server/kernel/db/database.ts'
import { countCalls } from './count-calls.ts'
import { kinds } from './ledger-cases.ts'

/** Writes transfers by the functions of the ledger, in a process of its own, and counts them. */
export interface LedgerLoadOptions {
  appUrl: string
  systemUrl: string
  poolSize: number
  kind: keyof typeof kinds
  /** They take turns. */
  orgIds: string[]
  perCall: number
  workers: number
  warmUpSeconds: number
  seconds: number
}

// Written by ledger.ts.
const options = JSON.parse(process.argv[2] ?? '') as LedgerLoadOptions
const db = connectDatabase(options)
let calls = 0
const counted = await countCalls(() => {
  const orgId = options.orgIds[calls++ % options.orgIds.length] ?? ''
  return db.batchInOrg(orgId, kinds[options.kind](orgId, options.perCall))
}, options)
await db.close()
console.log(JSON.stringify({ ...counted, calls }))
