import type { Database } from '../../../db/database.ts'

export interface ScreenedAddress {
  orgId: string
  address: string
  verdict: string
  reason: string
  createdAt: Date
}

export interface AddressListDeps {
  db: Database
  cursorKey: Buffer
}
