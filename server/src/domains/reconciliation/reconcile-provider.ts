import type { CompiledQuery } from 'kysely'
import type { Connector } from '../../connectors/kit/connector.ts'
import type { ProviderTransaction, TransactionPage } from '../../connectors/kit/lists.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Caller } from '../../lib/access.ts'
import { conflict } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { auditStatement } from '../audit-log/record-audit.ts'
import { insertException } from '../exceptions/raise-exception.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { ownsAccount } from '../provider-configs/owns-account.ts'
import { compare, missingThere, type Finding } from './rules.ts'
import { selectAttemptsByReferenceAcrossOrgs, selectTakenAttempts } from './store.ts'

export interface Reconciliation {
  provider: string
  since: Date
  checked: number
  findings: Finding[]
}

export interface AccountReconciliation extends Reconciliation {
  /** At an account that organisations share, what matches nobody's payment: the operator's to see. */
  shared: Finding[]
}

const pagesLimit = 1_000
const ownLimit = 100_000
/** What is younger than this may be on one side only, and rightly so. */
const settlingMs = 10 * 60_000

/** A person asks for it. */
export async function reconcileNow(
  deps: PaymentDeps,
  caller: Caller,
  input: { provider: string; since: Date },
): Promise<Reconciliation> {
  const { shared, ...own } = await reconcileProvider(deps, caller.orgId, input)
  const isOperator = caller.permissions.has('platform:read')
  const result = isOperator ? { ...own, findings: [...own.findings, ...shared] } : own
  await deps.db.batchInOrg(caller.orgId, [
    auditStatement(caller, caller.orgId, {
      action: 'reconciliation.run',
      resourceType: 'provider',
      resourceId: input.provider,
      after: { checked: result.checked, findings: result.findings.length },
    }),
  ])
  return result
}

/** Holds the provider's list against ours. Each difference is an exception; nothing is repaired silently. */
export async function reconcileProvider(
  deps: PaymentDeps,
  orgId: string,
  input: { provider: string; since: Date },
): Promise<AccountReconciliation> {
  const connector = await deps.connectors.load(orgId, input.provider)
  if (!connector?.listTransactions) throw conflict('This provider cannot list its transactions.')
  const until = new Date(deps.clock.now().getTime() - settlingMs)
  const theirs = await listAll(connector, input.since)
  const references = theirs.flatMap(({ reference }) =>
    reference !== null && isUuid(reference) ? [reference] : [],
  )
  const ours = await deps.db.acrossOrgs((tx) => selectAttemptsByReferenceAcrossOrgs(tx, references))
  const byReference = new Map(ours.map((attempt) => [attempt.reference, attempt]))
  const isForeign = (transaction: ProviderTransaction): boolean => {
    const own = byReference.get(transaction.reference ?? '')
    return own !== undefined && own.orgId !== orgId
  }
  const settled = theirs.filter((transaction) => transaction.createdAt < until && !isForeign(transaction))
  const own = await deps.db.inOrg(orgId, (tx) =>
    selectTakenAttempts(tx, orgId, { provider: input.provider, since: input.since, until, limit: ownLimit }),
  )
  const listed = new Set(references)
  const all = [
    ...settled.flatMap(
      (transaction) => compare(transaction, byReference.get(transaction.reference ?? '')) ?? [],
    ),
    ...own.filter((attempt) => !listed.has(attempt.reference)).map(missingThere),
  ]
  const isOwnAccount = await ownsAccount(deps, orgId, input.provider)
  const isShared = ({ paymentId }: Finding): boolean => paymentId === null && !isOwnAccount
  const shared = all.filter(isShared)
  const findings = all.filter((finding) => !isShared(finding))
  for (const finding of findings)
    await deps.db.batchInOrg(orgId, [exceptionFor(orgId, input.provider, finding)])
  for (const finding of shared)
    await deps.db.batchAcrossOrgs([exceptionFor(installationOrgId, input.provider, finding)])
  return { ...input, checked: settled.length - shared.length, findings, shared }
}

async function listAll(connector: Connector, since: Date): Promise<ProviderTransaction[]> {
  const all: ProviderTransaction[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesLimit; page++) {
    const found: TransactionPage | undefined = await connector.listTransactions?.(since, cursor)
    if (!found) break
    all.push(...found.transactions)
    cursor = found.nextCursor
    if (cursor === null) break
  }
  return all
}

const exceptionFor = (orgId: string, provider: string, finding: Finding): CompiledQuery =>
  insertException(orgId, {
    kind: finding.kind,
    paymentId: finding.paymentId,
    provider,
    summary: finding.summary,
    suggestedAction: finding.suggestedAction,
    findingKey: `${finding.kind} ${provider} ${finding.reference}`,
  })
