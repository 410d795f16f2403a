import type { KybProvider, KybStart } from '../../../connectors/kit/kyb-provider.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { KybStatus } from '../../people/organizations/record.ts'
import type { ScreeningDeps } from '../sanctions/matches/record.ts'

export type StartedKyb = Extract<KybStart, { kind: 'started' }> & {
  orgId: string
  provider: string
  status: KybStatus
}

/** People and the company are stored sealed, to be screened by every new sanctions list. */
export interface KybPerson {
  personId: string
  detailsSealed: Buffer
}

export const kybPersonContext = (personId: string): string => `kyb person ${personId}`

export type KybStartDeps = KybDeps & ScreeningDeps

export interface KybDeps {
  db: Database
  log: Log
  kyb: KybProvider | undefined
}
