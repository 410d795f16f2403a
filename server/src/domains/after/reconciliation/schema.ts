import { z } from 'zod'
import { providerNames } from '../../../connectors/registry.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid } from '../../../lib/requests/wire.ts'
import { suggestedActions } from '../../people/exceptions/describe-kinds.ts'
import type { Reconciliation, ReconciliationRun } from './record.ts'
import { findingKinds } from './rules.ts'

export const reconcileBody = z.object({
  provider: z.enum(providerNames),
  account_id: uuid.optional().meta({ description: 'One of several accounts at the provider.' }),
  since: z.iso.datetime({ offset: true }),
})

export const reconciliationResponse = success(
  z.object({
    provider: z.string(),
    since: dateTime,
    checked: z.int(),
    findings: z.array(
      z.object({
        kind: z.enum(findingKinds),
        reference: z.string().nullable().meta({
          description: 'Null for an account of the installation, unless the operator asks.',
        }),
        payment_id: uuid.nullable(),
        summary: z.string(),
        suggested_action: z.string(),
      }),
    ),
  }),
)

export const toReconciliation = (
  { permissions }: Caller,
  result: Reconciliation,
): z.input<typeof reconciliationResponse> =>
  ok('Reconciled. Findings are in the list of exceptions.', {
    provider: result.provider,
    since: result.since.toISOString(),
    checked: result.checked,
    findings: result.findings.map((finding) => ({
      kind: finding.kind,
      reference: result.custody === 'own' || permissions.has('platform:read') ? finding.reference : null,
      payment_id: finding.paymentId,
      summary: finding.summary,
      suggested_action: suggestedActions[finding.kind],
    })),
  })

export const listRunsQuery = z.object({
  provider: z.enum(providerNames).optional(),
  status: z.enum(['completed', 'failed']).optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const reconciliationRun = z
  .object({
    run_id: uuid,
    org_id: uuid.nullable().meta({ description: 'Null: an account of the installation.' }),
    provider: z.string(),
    account_id: uuid,
    origin: z.enum(['nightly', 'requested']),
    requested_by: z.string().nullable(),
    since: dateTime,
    status: z.enum(['completed', 'failed']),
    checked: z.int().nullable(),
    findings: z.int().nullable(),
    started_at: dateTime,
    finished_at: dateTime,
  })
  .meta({ id: 'ReconciliationRun' })

export const runPage = success(z.array(reconciliationRun)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

const toRun = (run: ReconciliationRun): z.input<typeof reconciliationRun> => ({
  run_id: run.runId,
  org_id: run.orgId === installationOrgId ? null : run.orgId,
  provider: run.provider,
  account_id: run.accountId,
  origin: run.origin,
  requested_by: run.requestedBy,
  since: run.since.toISOString(),
  status: run.status,
  checked: run.checked,
  findings: run.findings,
  started_at: run.startedAt.toISOString(),
  finished_at: run.finishedAt.toISOString(),
})

export const toRunPage = (page: Page<ReconciliationRun>): z.input<typeof runPage> => ({
  ...ok('Comparisons with the lists of providers, newest first.', page.items.map(toRun)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
