import { sql } from 'kysely'
import { installationOrgId } from '@switchyard/server/kernel/db/vault.ts'
import { privateContext } from '@switchyard/server/domains/payments/record.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { createRandom, draftPayment, type PaymentDraft, type Route, type YearContext } from './year-drafts.ts'
import { findingStatements } from './year-findings.ts'
import { statementsFor, type SealedDraft } from './year-statements.ts'

const chunk = 2_000
const randomSeed = 20_260_301

/**
 * A year of payments of one organisation, for development only: they are written as rows, with the attempts, events
 * and ledger transfers that the operations of the API would have written.
 */
export async function seedYear(
  deps: Pick<Deps, 'db' | 'vault' | 'clock'>,
  org: { orgId: string; country: string; userId: string },
  count: number,
): Promise<void> {
  const context = await contextOf(deps, org)
  const random = createRandom(randomSeed)
  for (let begin = 0; begin < count; begin += chunk) {
    const drafts = Array.from({ length: Math.min(chunk, count - begin) }, (_one, index) =>
      draftPayment(random, context, begin + index),
    ).filter((draft) => draft !== undefined)
    const sealed: SealedDraft[] = []
    // One after the other: at once, all of them would look for the data key.
    for (const draft of drafts) sealed.push({ ...draft, sealed: await seal(deps, org.orgId, draft) })
    await deps.db.inOrg(org.orgId, async (tx) => {
      for (const statement of statementsFor(org.orgId, sealed)) await statement.execute(tx.db)
    })
  }
  await deps.db.inOrg(org.orgId, async (tx) => {
    for (const statement of findingStatements(org.orgId, context.now)) await statement.execute(tx.db)
  })
}

const seal = (
  { vault }: Pick<Deps, 'vault'>,
  orgId: string,
  { payment, payer }: PaymentDraft,
): Promise<Buffer> => {
  const email = `${payer.toLowerCase().replaceAll(' ', '.')}@example.com`
  const person = { name: payer, email }
  const details = payment['direction'] === 'outbound' ? { payee: person } : { payer: person }
  return vault.seal(orgId, privateContext(payment.payment_id), details)
}

async function contextOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { orgId, country, userId }: { orgId: string; country: string; userId: string },
): Promise<YearContext> {
  return db.inOrg(orgId, async (tx) => {
    const routes = await sql<Route>`
      select c.provider, c.config_id as "configId", a.account_id as "accountId", c.country,
             c.payment_method as method, c.direction
      from provider_configs c
      join provider_accounts a on a.org_id = c.org_id and a.provider = c.provider
      where c.org_id = ${installationOrgId} and c.is_active
      order by c.priority, c.provider`.execute(tx.db)
    const payees = await sql<{ id: string }>`
      select beneficiary_id as id from beneficiaries where org_id = ${orgId} and account_type = 'bank' limit 1`.execute(
      tx.db,
    )
    return {
      country,
      userId,
      beneficiaryId: payees.rows[0]?.id ?? null,
      routes: routes.rows,
      now: clock.now(),
    }
  })
}
