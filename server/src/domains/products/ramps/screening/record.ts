import type { Database } from '../../../../kernel/db/database.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'

export interface ScreenedAddress {
  orgId: string
  address: string
  verdict: string
  reason: string
  createdAt: Date
}

export interface AddressListDeps {
  db: Database
  cursorKey: KeyRing
}

/** The operator's screening service, asked about every address that the operator has not listed. */
export interface Screener {
  screen(address: { network: string; address: string }): Promise<'clear' | 'refused'>
}

export interface ScreeningDeps {
  db: Database
  screener: Screener
}
