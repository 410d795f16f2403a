import { sql, type CompiledQuery, type Selectable } from 'kysely'
import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { RampDirection } from '../../../connectors/kit/ramp-details.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { stampIn, stampNow } from '../../../kernel/db/money-clock.ts'
import type { RampLegs, Ramps } from '../../../kernel/db/generated/schema.ts'
import type { AttemptState } from '../../payments/lifecycle/rules.ts'
import type { FoundLeg, Leg, LegKind, Phase, Ramp, RampRoute } from './record.ts'

export async function findRamp(
  tx: Tx,
  orgId: string,
  paymentId: string,
): Promise<{ ramp: Ramp; legs: Leg[] } | undefined> {
  const [row, legs] = await Promise.all([
    tx.db
      .selectFrom('ramps')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .executeTakeFirst(),
    tx.db
      .selectFrom('ramp_legs')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('leg_no')
      .execute(),
  ])
  return row && { ramp: toRamp(row), legs: legs.map(toLeg) }
}

const toRamp = (row: Selectable<Ramps>): Ramp => ({
  direction: row.direction as RampDirection, // check constraint
  fiat: { amountMinor: BigInt(row.fiat_minor), currency: row.fiat_currency },
  crypto: { amountMinor: BigInt(row.crypto_minor), currency: row.crypto_currency },
  network: row.crypto_network,
  rate: row.rate,
  walletAddress: row.wallet_address,
  routes: row.routes as unknown as RampRoute[], // written by insertRamp
  phase: row.phase as Phase, // check constraint
  receivedMinor: BigInt(row.received_minor),
  suspendedMinor: BigInt(row.suspended_minor),
  expiresAt: row.expires_at,
})

const toLeg = (row: Selectable<RampLegs>): Leg => ({
  legNo: row.leg_no,
  kind: row.kind as LegKind, // check constraint
  provider: row.provider,
  configId: row.config_id,
  accountId: row.account_id,
  custody: row.custody as Leg['custody'], // check constraint
  networkCode: row.network_code,
  method: row.method as PaymentMethod, // check constraint
  amount: { amountMinor: BigInt(row.amount_minor), currency: row.currency },
  reference: row.reference,
  state: row.state as AttemptState, // check constraint
  providerRef: row.provider_ref,
  providerStatus: row.provider_status,
  outcomeCode: row.outcome_code,
  outcomeMessage: row.outcome_message,
  reachedCustomer: row.reached_customer,
  notFoundCount: row.not_found_count,
  polls: row.looks,
  deadlineAt: row.deadline_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const foundColumns = [
  'org_id as orgId',
  'payment_id as paymentId',
  'leg_no as legNo',
  'account_id as accountId',
] as const

/** We choose the references at random, so one identifies at most one leg across all organisations. */
export const findLegByReferenceAcrossOrgs = (tx: Tx, reference: string): Promise<FoundLeg | undefined> =>
  tx.db.selectFrom('ramp_legs').select(foundColumns).where('reference', '=', reference).executeTakeFirst()

/** For providers that do not store our reference: by their own id of what a leg opened or sent. */
export const findLegByProviderRefAcrossOrgs = (
  tx: Tx,
  { provider, accountId }: { provider: string; accountId: string },
  providerRef: string,
): Promise<FoundLeg | undefined> =>
  tx.db
    .selectFrom('ramp_legs')
    .select(foundColumns)
    .where('provider', '=', provider)
    .where('provider_ref', '=', providerRef)
    .orderBy(sql<boolean>`account_id is not distinct from ${accountId}::uuid`, 'desc')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

export const insertRamp = (orgId: string, paymentId: string, ramp: Ramp): CompiledQuery =>
  statements
    .insertInto('ramps')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      direction: ramp.direction,
      fiat_currency: ramp.fiat.currency,
      fiat_minor: ramp.fiat.amountMinor.toString(),
      crypto_currency: ramp.crypto.currency,
      crypto_network: ramp.network,
      crypto_minor: ramp.crypto.amountMinor.toString(),
      rate: ramp.rate,
      wallet_address: ramp.walletAddress,
      routes: JSON.stringify(ramp.routes),
      phase: ramp.phase,
      expires_at: ramp.expiresAt,
    })
    .compile()

/** Always written together with the payment, whose version fences both. */
export const updateRamp = (orgId: string, paymentId: string, ramp: Ramp): CompiledQuery =>
  statements
    .updateTable('ramps')
    .set({
      phase: ramp.phase,
      received_minor: ramp.receivedMinor.toString(),
      suspended_minor: ramp.suspendedMinor.toString(),
      expires_at: ramp.expiresAt,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .compile()

/** What an approval may change about a ramp that has no leg yet. */
export const amendRamp = (orgId: string, paymentId: string, ramp: Ramp): CompiledQuery =>
  statements
    .updateTable('ramps')
    .set({
      crypto_minor: ramp.crypto.amountMinor.toString(),
      rate: ramp.rate,
      routes: JSON.stringify(ramp.routes),
      expires_at: ramp.expiresAt,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .compile()

/** Written in the transaction of a fenced update. */
export const setLegResolution = (
  orgId: string,
  { paymentId, legNo }: { paymentId: string; legNo: number },
  resolutionId: string,
): CompiledQuery =>
  statements
    .updateTable('ramp_legs')
    .set({ resolution_id: resolutionId })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('leg_no', '=', legNo)
    .compile()

export const insertLeg = (orgId: string, paymentId: string, leg: Leg): CompiledQuery =>
  statements
    .insertInto('ramp_legs')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      leg_no: leg.legNo,
      kind: leg.kind,
      provider: leg.provider,
      config_id: leg.configId,
      account_id: leg.accountId,
      custody: leg.custody,
      network_code: leg.networkCode,
      method: leg.method,
      currency: leg.amount.currency,
      amount_minor: leg.amount.amountMinor.toString(),
      reference: leg.reference,
      state: leg.state,
      deadline_at: stampIn(leg.deadlineAt.getTime() - leg.createdAt.getTime()),
      created_at: stampNow(),
      updated_at: stampNow(),
    })
    .compile()

export const updateLeg = (orgId: string, paymentId: string, leg: Leg): CompiledQuery =>
  statements
    .updateTable('ramp_legs')
    .set({
      state: leg.state,
      provider_ref: leg.providerRef,
      provider_status: leg.providerStatus,
      outcome_code: leg.outcomeCode,
      outcome_message: leg.outcomeMessage,
      reached_customer: leg.reachedCustomer,
      not_found_count: leg.notFoundCount,
      looks: leg.polls,
      updated_at: leg.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('leg_no', '=', leg.legNo)
    .compile()

/** Ramps that are not closed, and closed ones whose address was paid and expired after the given time. */
export const selectWatchedRampsAcrossOrgs = (
  tx: Tx,
  { expiredAfter, after, limit }: { expiredAfter: Date; after: string | undefined; limit: number },
) =>
  tx.db
    .selectFrom('ramps')
    .select(['org_id as orgId', 'payment_id as paymentId'])
    .where(
      sql<boolean>`(phase <> 'closed' or (expires_at > ${expiredAfter} and exists (
        select from ramp_legs leg where leg.org_id = ramps.org_id and leg.payment_id = ramps.payment_id
          and leg.kind = 'collection' and leg.method = 'crypto' and leg.state = 'succeeded')))`,
    )
    .$if(after !== undefined, (query) => query.where('payment_id', '>', after ?? ''))
    .orderBy('payment_id')
    .limit(limit)
    .execute()
