import { z } from 'zod'
import type { RobberyInstallation } from './installation.ts'
import { createNotebook, type Notebook } from './notebook.ts'
import { pointOwnWebhooks } from './own-keys.ts'
import type { Person, RobberyOrg } from './people.ts'
import type { Ask, Client, Heard } from './thief.ts'

/** Those who act for one organisation, and what they have learned. */
export type Gang = {
  readonly org: RobberyOrg
  readonly installation: RobberyInstallation
  readonly notebook: Notebook
  /** Grows with the members that the gang adds. */
  readonly persons: Person[]
  ask(ask: Omit<Ask, 'by'> & { by?: Person }): Promise<Heard>
  /** Posts to a webhook address without credentials, as anybody can. */
  post(webhookUrl: string, raw: NonNullable<Ask['raw']>): Promise<Heard>
}

export function createGang(installation: RobberyInstallation, client: Client, org: RobberyOrg): Gang {
  const notebook = createNotebook()
  const persons = [org.admin, org.staff, ...(org.accomplice ? [org.accomplice] : [])]
  for (const { userId } of persons) notebook.add('user_id', userId)
  for (const url of installation.people.installationAddresses) notebook.add('webhook_url', url)
  return {
    org,
    installation,
    notebook,
    persons,
    async ask(ask) {
      const heard = await client.ask({ by: org.admin, ...ask })
      if (heard.status < 300) await learn(installation, notebook, heard)
      return heard
    },
    post: (webhookUrl, raw) => {
      const { pathname, search } = new URL(webhookUrl)
      return client.ask({ by: undefined, method: 'POST', path: pathname + search, raw })
    },
  }
}

async function learn(installation: RobberyInstallation, notebook: Notebook, heard: Heard): Promise<void> {
  const before = notebook.all('webhook_url').length
  notebook.learn(heard.body)
  // The thief gives its own account at the provider the address that it just got.
  for (const url of notebook.all('webhook_url').slice(before))
    await pointOwnWebhooks(installation.simulatorUrl, url)
}

const initiated = z.object({ response: z.object({ payment_id: z.string(), status: z.string() }) })
const identified = z.object({ data: z.record(z.string(), z.unknown()) })
const quoted = z.object({ data: z.object({ rate: z.number(), org_rate_id: z.string() }) })

/** The payment that an initiation began, if it did. */
export const paymentOf = ({ body }: Heard): string | undefined =>
  initiated.safeParse(body).data?.response.payment_id

/** A field of the answer's data. */
export function fieldOf({ body }: Heard, name: string): string | undefined {
  const value = identified.safeParse(body).data?.data[name]
  return typeof value === 'string' ? value : undefined
}

type Quote = { rate: number; orgRateId: string }

export async function quote(gang: Gang, from: string, to: string): Promise<Quote | undefined> {
  const path = `/v1/organizations/admin/exchange-rate?fromCurrency=${from}&toCurrency=${to}`
  const data = quoted.safeParse((await gang.ask({ method: 'GET', path })).body).data?.data
  return data && { rate: data.rate, orgRateId: data.org_rate_id }
}

/** Creates a payee and returns its id; fails the run if it cannot, because the attacks would prove nothing. */
export async function createPayee(gang: Gang, body: object): Promise<string> {
  const heard = await gang.ask({ method: 'POST', path: '/v1/beneficiaries', body })
  const id = fieldOf(heard, 'beneficiary_id')
  if (id === undefined) throw new Error(`no beneficiary was created: ${heard.status} ${heard.text}`)
  return id
}
