import type pg from 'pg'
import { newId } from '../../../../lib/ids.ts'

export interface WrittenAttempt {
  orgId: string
  accountId: string
  /** Null while it is being sent. */
  answeredAt: Date | null
  /** Null while it is open. */
  endedAt?: Date | null
  state: string
  /** The states after the first one. */
  states?: string[]
  outcomeCode?: string | null
  createdAt?: Date
  direction?: 'inbound' | 'outbound'
  method?: string
  country?: string
  cardBrand?: string | null
  costMinor?: number | null
  isExploration?: boolean
  provider?: string
}

const secondMs = 1_000

/** Payments with one attempt each, as a provider's answers would have left them. Returns their ids. */
export async function writeOutcomes(
  owner: pg.Pool | pg.PoolClient,
  attempts: readonly WrittenAttempt[],
): Promise<string[]> {
  const rows = attempts.map((attempt) => toRow(attempt))
  // Some of them are being sent, by a route that does not exist, for payments of which nobody was screened.
  await owner.query('alter table attempts disable trigger refuse_closed_route')
  await owner.query('alter table attempts disable trigger refuse_unscreened')
  await owner.query(
    `with made as (
       select * from jsonb_to_recordset($1::jsonb) as row (org_id uuid, payment_id uuid, account_id uuid, provider text,
         state text, state_changes jsonb, outcome_code text, direction text, method text, country text, card jsonb,
         routing jsonb, cost_minor numeric, created_at timestamptz, answered_at timestamptz, ended_at timestamptz)
     ), paid as (
       insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
         target_currency, target_amount_minor, status, version, private_sealed, card, routing, request_id, created_at)
       select org_id, payment_id, 'u', direction, method, country, 'NGN', 10000, 'NGN', 10000,
         case when state = 'succeeded' then 'completed' when ended_at is not null then 'failed' else 'processing' end,
         1, '', card, routing, 'made', created_at from made
     )
     insert into attempts (org_id, payment_id, attempt_no, provider, account_id, custody, config_id, reference, state,
       state_changes, outcome_code, cost_minor, cost_currency, deadline_at, created_at, updated_at, answered_at, ended_at)
     select org_id, payment_id, 1, provider, account_id, 'pooled', gen_random_uuid(), gen_random_uuid(), state,
       state_changes, outcome_code, cost_minor, case when cost_minor is not null then 'NGN' end, created_at, created_at,
       coalesce(ended_at, answered_at, created_at), answered_at, ended_at from made`,
    [JSON.stringify(rows)],
  )
  return rows.map(({ payment_id }) => payment_id)
}

function toRow(attempt: WrittenAttempt) {
  const { answeredAt, state, states = answeredAt ? [state] : [] } = attempt
  const isEnded = !['sending', 'accepted', 'unknown'].includes(state)
  const createdAt = attempt.createdAt ?? new Date((answeredAt ?? new Date()).getTime() - secondMs)
  return {
    org_id: attempt.orgId,
    payment_id: newId(),
    account_id: attempt.accountId,
    provider: attempt.provider ?? 'paystack',
    state,
    state_changes: states.length === 0 ? null : states.map((one) => ({ state: one, at: answeredAt })),
    outcome_code: attempt.outcomeCode ?? null,
    direction: attempt.direction ?? 'inbound',
    method: attempt.method ?? 'card',
    country: attempt.country ?? 'NG',
    card: attempt.cardBrand === undefined ? null : { brand: attempt.cardBrand },
    routing: {
      candidates: [],
      considered: [],
      ...(attempt.isExploration === true && { decision: { isExploration: true } }),
    },
    cost_minor: attempt.costMinor ?? null,
    created_at: createdAt,
    answered_at: answeredAt,
    ended_at: attempt.endedAt === undefined && isEnded ? answeredAt : (attempt.endedAt ?? null),
  }
}
