import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { paymentOf, type Gang } from '../gang.ts'
import type { JudgeName } from '../judges/judge.ts'
import { credentialsOf, type KeyKind, type SignedProvider } from '../own-keys.ts'
import { momoPayin, type Corridor } from '../requests.ts'
import { listSubjects, type Subject } from '../subjects.ts'
import type { Heard } from '../thief.ts'

export type Gangs = {
  readonly hostile: Gang
  readonly unverified: Gang
  readonly guarded: Gang
  readonly founded: Gang
  readonly trader: Gang
  readonly clerk: Gang
  readonly honest: Gang
}

/** A theft that worked once. It returns the decisive answer. */
export type Attack = {
  readonly name: string
  /** The judge that notices it when it succeeds. */
  readonly caughtBy: JudgeName
  /** Status and text of the decisive answer while the hole is closed; another answer means that it was never tried. */
  readonly hears: RegExp
  run(gangs: Gangs): Promise<Heard>
}

const settleMs = 60_000
const initiatePath = '/v1/payments-init/initiate'

export const initiate = (gang: Gang, body: object): Promise<Heard> =>
  gang.ask({ method: 'POST', path: initiatePath, body })

/** Pays in for real and waits until it is credited. */
export const payIn = (gang: Gang, corridor: Corridor, amount: number): Promise<void> =>
  payInBy(gang, momoPayin(corridor, { amount }))

export async function payInBy(gang: Gang, body: object): Promise<void> {
  const heard = await initiate(gang, body)
  const paymentId = paymentOf(heard)
  if (paymentId === undefined) throw new Error(`a real payin was refused: ${heard.status} ${heard.text}`)
  await waitUntil(async () => (await statusOf(gang, paymentId)) === 'completed', {
    what: `payin ${paymentId}`,
    timeoutMs: settleMs,
  })
}

async function statusOf({ installation }: Gang, paymentId: string): Promise<string | undefined> {
  const { rows } = await installation.owner.query<{ status: string }>(
    'select status from payments where payment_id = $1',
    [paymentId],
  )
  return rows[0]?.status
}

/** Stores keys of the thief's own making. */
export const storeKeys = (gang: Gang, provider: SignedProvider, kind: KeyKind): Promise<Heard> =>
  gang.ask({
    method: 'PUT',
    path: `/v1/payments/provider-credentials/${provider}`,
    body: { credentials: credentialsOf(gang.installation.simulatorUrl, provider, kind) },
  })

export const addConfig = (gang: Gang, config: object): Promise<Heard> =>
  gang.ask({ method: 'POST', path: '/v1/payments/provider-configs', body: { priority: 0, ...config } })

/** The address that the thief's own account at the provider was given. */
export const addressOf = (gang: Gang, provider: SignedProvider): string | undefined =>
  gang.notebook.all('webhook_url').findLast((url) => url.includes(`/providers/${provider}/`))

/** The newest attempt, refund or leg of the organisation at the provider. */
export async function newestSubject(gang: Gang, provider: SignedProvider): Promise<Subject | undefined> {
  const subjects = await listSubjects(gang.installation.owner, [gang.org.orgId])
  return subjects.find((subject) => subject.provider === provider)
}

/** Stands in for an answer when an earlier step of the attack was refused already. */
export const stopped = (why: string): Heard => ({ status: 0, text: why, body: undefined })

const endMs = 20_000
const open = ['initiated', 'reviewed', 'confirmed', 'processing', 'pending']

/** Gives the engine time; a payment that is still open is judged again at the end of the run. */
export const untilEnded = (gang: Gang, paymentId: string, timeoutMs = endMs): Promise<unknown> =>
  waitUntil(async () => !open.includes((await statusOf(gang, paymentId)) ?? ''), {
    what: `payment ${paymentId}`,
    timeoutMs,
  }).catch(() => undefined)
