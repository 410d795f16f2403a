import { Kysely, PostgresDialect, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { transitions } from '../../domains/payments/lifecycle/rules.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../test/worlds/test-payments.ts'
import { auditAcrossOrgs } from './audit.ts'

const promise = 'attempts match the status of their payment'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let payout: string
beforeAll(async () => {
  org = await openPayments(t)
  const payee = await org.addBeneficiary(bankBeneficiary())
  payout = await org.start(bankPayout(payee, { amount: 100.13, target_amount: 100.13 }))
})

/** Whether the audit complains about a payout that was refused and waits, under a policy with this answer. */
async function isBroken(status: string, answer: string, ...statements: string[]): Promise<boolean> {
  const owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
  const transaction = await owner.startTransaction().execute()
  const changes = [
    `update attempts set state = 'declined', outcome_code = 'PROVIDER_UNAVAILABLE' where payment_id = '${payout}'`,
    `update payments set status = '${status}', routing = routing || '{"fallback":{"PROVIDER_UNAVAILABLE":"${answer}"}}'
     where payment_id = '${payout}'`,
    ...statements,
  ]
  try {
    for (const change of changes) await sql.raw(change).execute(transaction)
    const findings = await auditAcrossOrgs(transaction, transitions)
    return findings.some((finding) => finding.promise === promise && finding.violations > 0)
  } finally {
    await transaction.rollback().execute()
  }
}

/** It is processing if the refusal was learned by an inquiry, after an answer that told nothing. */
const statuses = ['confirmed', 'processing']

it.each(statuses)(
  'a refused payment that is %s waits only if its policy repeats it later',
  async (status) => {
    expect(await isBroken(status, 'next')).toBe(true)
    expect(await isBroken(status, 'later')).toBe(false)
  },
)

it.each(statuses)('a refused payout that is %s waits while a suspension holds it back', async (status) => {
  const suspend = `insert into suspensions (org_id, suspension_id, kind, subject_id, reason, suspended_by, suspended_at)
    values ('${org.orgId}', gen_random_uuid(), 'organization', '${org.orgId}', 'fraud', 'operator', now())`
  expect(await isBroken(status, 'next', suspend)).toBe(false)
  const lifted = `update suspensions set lifted_at = now() - interval '6 minutes', lifted_by = 'operator'`
  expect(await isBroken(status, 'next', suspend, lifted)).toBe(true)
})

it.each(statuses)('a refused payment that is %s waits while a name is checked', async (status) => {
  const match = `insert into sanctions_matches (org_id, match_id, subject_kind, subject_id, person_key, person_sealed,
      source, entry_id, entry, entry_fingerprint, version_id, score_permille, status, created_at, updated_at)
    values ('${org.orgId}', gen_random_uuid(), 'payer', '${payout}', '', '', 'un', '1', '{}', '', gen_random_uuid(), 900,
      'open', now(), now())`
  expect(await isBroken(status, 'next', match)).toBe(false)
  const cleared = `update sanctions_matches set status = 'cleared', decided_at = now() - interval '6 minutes'`
  expect(await isBroken(status, 'next', match, cleared)).toBe(true)
})

it.each(['RATE_EXPIRED', 'KYB_REQUIRED', 'ALL_PROVIDERS_FAILED'])(
  'an approved payout that could not be sent any more has failed without an attempt: %s',
  async (code) => {
    const unsent = `delete from attempts where payment_id = '${payout}'`
    const fail = (reason: string): string =>
      `update payments set failure_code = '${reason}' where payment_id = '${payout}'`
    expect(await isBroken('failed', 'next', unsent, fail(code))).toBe(false)
    expect(await isBroken('failed', 'next', unsent, fail('CARD_DECLINED'))).toBe(true)
  },
)
