import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { createAccountDirectory } from '@switchyard/stack/services/identity-accounts.ts'
import { dashboardClientId, startIdentity } from '@switchyard/stack/services/identity.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import type { Role } from '../../src/lib/requests/access.ts'
import { newId } from '../../src/lib/ids.ts'
import { personBody } from '../app/people.ts'
import { startTestApp, type Json, type TestApp, type TestAppOptions } from '../app/test-app.ts'
import { useStarted } from '../app/use-started.ts'

/** A person with an account at the identity provider. */
export interface Account {
  userId: string
  email: string
}

export interface SignInTest<App extends TestApp = TestApp> {
  t: App
  issuer: string
  /** The only operator of the installation, as long as a test adds no other. */
  operator: Account
  /** Adds a person to the organisation and to the identity provider. */
  addAccount(orgId: string, role: Role, known?: Account): Promise<Account>
  /** A person whom the identity provider knows, but who is a member of no organisation, with their access token. */
  addStranger(email: string): Promise<Account & { token: string }>
  newBrowser(): TestBrowser
  close(): Promise<void>
}

interface Answer {
  status: number
  location: string
  setCookies: string[]
  text: string
  body: Json
}

interface SendOptions {
  headers?: Record<string, string>
  body?: unknown
  form?: Record<string, string>
}

/** Keeps cookies, as a browser does, and sends what the pages of the dashboard send. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  /** One request without following its redirect, as a page or a link would cause. */
  visit(url: string, options?: SendOptions & { method?: string }): Promise<Answer>
  /** Signs in by picking the account, and returns the answer of our callback. */
  signIn(account: Account, query?: string): Promise<Answer>
  /** Goes to the identity provider and returns the address of our callback, without opening it. */
  untilCallback(account: Account, query?: string): Promise<string>
  /** A request as the script of the dashboard sends it. */
  call(method: string, path: string, options?: SendOptions): Promise<Answer>
}

/** The API with the identity provider of `npm run dev`, for the tests of a file. */
export const useSignIn = (options: TestAppOptions = {}): SignInTest =>
  useStarted(
    () => startSignIn(options, startTestApp),
    (started) => started.close(),
  )

export async function startSignIn<App extends TestApp>(
  options: TestAppOptions,
  startApp: (options: TestAppOptions) => Promise<App>,
): Promise<SignInTest<App>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-sign-in-'))
  const accounts = createAccountDirectory()
  const identity = await startIdentity({ port: await freePort(), dataDir, accounts })
  const t = await startApp({
    ...options,
    env: {
      JWT_ISSUER: identity.issuer,
      JWT_JWKS_URL: identity.jwksUrl,
      OIDC_CLIENT_ID: dashboardClientId,
      ...options.env,
    },
  })
  const { user_id: operatorId, email, org_id: operatorsOrgId } = t.seed.platformAdmin
  accounts.add([{ user_id: operatorId, email, org_id: operatorsOrgId }])
  return {
    t,
    issuer: identity.issuer,
    operator: { userId: operatorId, email },
    async addAccount(orgId, role, known) {
      const account = known ?? accountOf(personBody())
      await addMember(t, orgId, role, account)
      if (!known) accounts.add([{ user_id: account.userId, email: account.email, org_id: orgId }])
      return account
    },
    async addStranger(email) {
      const userId = newId()
      const orgId = newId()
      accounts.add([{ user_id: userId, email, org_id: orgId }])
      return { userId, email, token: await identity.issueToken(userId, orgId) }
    },
    newBrowser: () => newBrowser(t.url, identity.issuer),
    async close() {
      await t.close()
      await identity.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const accountOf = ({ user_id: userId, email }: ReturnType<typeof personBody>): Account => ({ userId, email })

/** People of the operator, and colleagues of theirs, are admitted by two people, which is not what these tests are about. */
async function addMember(t: TestApp, orgId: string, role: Role, { userId, email }: Account): Promise<void> {
  const operators = await t.owner.query(
    `select from members where org_id = $1 and role = 'platform-admin' limit 1`,
    [orgId],
  )
  if (role === 'platform-admin' || operators.rowCount !== 0) {
    await t.owner.query(
      `insert into members (org_id, user_id, email, first_name, last_name, role)
       values ($1, $2, $3, 'Pat', 'Person', $4)`,
      [orgId, userId, email, role],
    )
    return
  }
  const path = `/v1/organizations/${orgId}/members`
  const body = { ...personBody(), user_id: userId, email, role }
  const added = await t.call('POST', path, { as: t.seed.platformAdmin.api_key, body })
  if (added.status !== 201) throw new Error(`no ${role} was added: ${added.text}`)
}

const hopsLimit = 10

function newBrowser(apiUrl: string, issuer: string): TestBrowser {
  const cookies = new Map<string, string>()
  const visit: TestBrowser['visit'] = async (url, options = {}) => {
    const isForm = options.form !== undefined
    const body = isForm ? new URLSearchParams(options.form).toString() : JSON.stringify(options.body)
    const response = await request(new URL(url, apiUrl), {
      method: (options.method ?? 'GET') as 'GET', // undici types the methods as a closed list
      headers: {
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    })
    const setCookies = [response.headers['set-cookie'] ?? []].flat()
    for (const cookie of setCookies) keep(cookies, cookie)
    const text = await response.body.text()
    const isJson = String(response.headers['content-type'] ?? '').includes('json')
    return {
      status: response.statusCode,
      location: String(response.headers['location'] ?? ''),
      setCookies,
      text,
      body: isJson ? JSON.parse(text) : text,
    }
  }
  const untilCallback: TestBrowser['untilCallback'] = async (account, query = '') => {
    let url = `${apiUrl}/auth/login${query}`
    for (let hop = 0; hop < hopsLimit; hop++) {
      if (new URL(url).pathname === '/auth/callback') return url
      const answer = await visit(url)
      const next = answer.location || (await pick(url, account)).location
      if (next === '') throw new Error(`the sign-in ended at ${url}: ${answer.text}`)
      url = new URL(next, url.startsWith(issuer) ? issuer : apiUrl).href
    }
    throw new Error('the sign-in did not end')
  }
  const pick = (url: string, account: Account): Promise<Answer> =>
    visit(url, { method: 'POST', form: { account: account.userId } })
  return {
    cookies,
    visit,
    untilCallback,
    signIn: async (account, query) => visit(await untilCallback(account, query)),
    call: (method, path, options = {}) =>
      visit(path, {
        ...options,
        method,
        headers: {
          authorization: 'NONE',
          'x-api-key': 'NONE',
          'sec-fetch-site': 'same-origin',
          ...options.headers,
        },
      }),
  }
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  const name = pair.slice(0, pair.indexOf('='))
  const value = pair.slice(name.length + 1)
  const isOver = attributes.some((attribute) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(attribute))
  if (isOver) cookies.delete(name)
  else cookies.set(name, value)
}
