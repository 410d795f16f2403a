import type { Database } from '../kernel/db/database.ts'
import type { Vault } from '../kernel/db/vault.ts'
import { listBeneficiarySubjects } from '../domains/parties/beneficiaries/reads.ts'
import { listKybSubjects } from '../domains/compliance/kyb/screen-people.ts'
import { listHeldPayments } from '../domains/payments/holds/reads.ts'
import { listPayerSubjects } from '../domains/payments/reads/list-subjects.ts'
import type { ListHeldPayments } from '../domains/compliance/sanctions/matches/record.ts'
import type { RunDeps } from '../domains/compliance/sanctions/runs/record.ts'
import { createSanctionsIndex } from '../domains/compliance/sanctions/track-index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

/** The sanctions lists in force, whom a new one is held against, and what a match holds back. */
export interface SanctionsDeps extends Pick<RunDeps, 'sanctions' | 'screenedSubjects'> {
  listHeldPayments: ListHeldPayments
}

export const createSanctionsDeps = (deps: {
  db: Database
  vault: Vault
  clock: Clock
  log: Log
}): SanctionsDeps => ({
  sanctions: createSanctionsIndex(deps),
  screenedSubjects: {
    beneficiaries: (page) => listBeneficiarySubjects(deps, page),
    kyb: (page) => listKybSubjects(deps, page),
    payers: (page) => listPayerSubjects(deps, page),
  },
  listHeldPayments: (match, limit) => listHeldPayments(deps, match, limit),
})
