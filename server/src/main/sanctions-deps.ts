import type { Database } from '../kernel/db/database.ts'
import type { Vault } from '../kernel/db/vault.ts'
import { listBeneficiarySubjects } from '../domains/parties/beneficiaries/reads.ts'
import { listKybSubjects } from '../domains/compliance/kyb/screen-people.ts'
import { listHeldPayments } from '../domains/payments/holds/reads.ts'
import { listPayerSubjects } from '../domains/payments/reads/list-subjects.ts'
import type { ListHeldPayments } from '../domains/compliance/sanctions/matches/record.ts'
import type { RunDeps } from '../domains/compliance/sanctions/runs/record.ts'
import { createSanctionsIndex, type SanctionsIndex } from '../domains/compliance/sanctions/track-index.ts'
import type { YenteServer } from '../domains/compliance/sanctions/yente/record.ts'
import { createYenteScreening } from '../domains/compliance/sanctions/yente/track-dataset.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'

/** The sanctions lists in force, whom a new one is held against, and what a match holds back. */
export interface SanctionsDeps extends Pick<RunDeps, 'sanctions' | 'screenedSubjects'> {
  listHeldPayments: ListHeldPayments
}

interface Created {
  db: Database
  vault: Vault
  clock: Clock
  log: Log
}

/** Undefined if this process compares names itself. */
export const yenteServerOf = (config: Config): YenteServer | undefined =>
  config.SANCTIONS_YENTE_URL === undefined
    ? undefined
    : {
        url: config.SANCTIONS_YENTE_URL,
        dataset: config.SANCTIONS_YENTE_DATASET,
        apiKey: config.SANCTIONS_YENTE_API_KEY,
        algorithm: config.SANCTIONS_YENTE_ALGORITHM,
        threshold: config.SANCTIONS_YENTE_THRESHOLD,
        timeoutMs: config.SANCTIONS_YENTE_TIMEOUT_MS,
      }

function createScreening(deps: Created, config: Config): SanctionsIndex {
  const server = yenteServerOf(config)
  return server ? createYenteScreening(deps, server) : createSanctionsIndex(deps)
}

export const createSanctionsDeps = (deps: Created, config: Config): SanctionsDeps => ({
  sanctions: createScreening(deps, config),
  screenedSubjects: {
    beneficiaries: (page) => listBeneficiarySubjects(deps, page),
    kyb: (page) => listKybSubjects(deps, page),
    payers: (page) => listPayerSubjects(deps, page),
  },
  listHeldPayments: (match, limit) => listHeldPayments(deps, match, limit),
})
