import { createTransport } from 'nodemailer'
import { request } from 'undici'
import { z } from 'zod'
import { installationOrgId } from '../../kernel/db/vault.ts'
import { listAccountsIn } from '../../domains/providers/accounts/reads.ts'
import { connectTcp } from '../../lib/net/connect-tcp.ts'
import { limitConcurrency } from '../../lib/flow/limit-concurrency.ts'
import { addressOf, endpointOf, reasonOf } from '../watch-dependencies.ts'
import { failed, ok, skipped, warning, type Check, type Finding } from './record.ts'

const answerTimeoutMs = 3_000
const feedAgeLimitMs = 60 * 60_000
const accountsAtOnce = 4

const keySet = z.object({ keys: z.array(z.object({ kid: z.string().optional() })) })
const discovery = z.object({ issuer: z.string() })

const readJson = async (url: string | URL): Promise<unknown> => {
  const response = await request(url, { signal: AbortSignal.timeout(answerTimeoutMs) })
  const text = await response.body.text()
  if (response.statusCode >= 300)
    throw Object.assign(new Error('refused'), { code: `status ${response.statusCode}` })
  return JSON.parse(text)
}

/** Logs in, but sends no mail. */
export const checkMail: Check = async ({ config }) => {
  const address = addressOf(config.SMTP_URL)
  const transport = createTransport({
    url: config.SMTP_URL,
    connectionTimeout: answerTimeoutMs,
    greetingTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
  })
  try {
    await transport.verify()
    return [ok('mail server', `${address} accepts the login`)]
  } catch (error) {
    return [
      failed(
        'mail server',
        `${address} cannot be used (${reasonOf(error)})`,
        'Check SMTP_URL. Notices wait until it works again.',
      ),
    ]
  } finally {
    transport.close()
  }
}

export const checkIdentity: Check = async ({ config }) => {
  const findings: Finding[] = []
  const address = addressOf(config.JWT_JWKS_URL)
  try {
    const { keys } = keySet.parse(await readJson(config.JWT_JWKS_URL))
    findings.push(
      keys.length > 0
        ? ok('identity provider', `${address} publishes ${keys.length} keys`)
        : failed('identity provider', `${address} publishes no key`, 'Check JWT_JWKS_URL.'),
    )
  } catch (error) {
    const detail = `${address} cannot be used (${reasonOf(error)})`
    findings.push(failed('identity provider', detail, 'Check JWT_JWKS_URL. API keys still work.'))
  }
  if (config.OIDC_CLIENT_ID === undefined)
    return [
      ...findings,
      skipped('sign-in', 'OIDC_CLIENT_ID is not set, so nobody can sign in to the dashboard'),
    ]
  try {
    const base = config.JWT_ISSUER.endsWith('/') ? config.JWT_ISSUER : `${config.JWT_ISSUER}/`
    const { issuer } = discovery.parse(await readJson(new URL('.well-known/openid-configuration', base)))
    findings.push(
      issuer === config.JWT_ISSUER
        ? ok('sign-in', `${issuer} describes itself`)
        : failed('sign-in', `the provider names itself ${issuer}`, 'Set JWT_ISSUER to exactly that.'),
    )
  } catch (error) {
    const detail = `${config.JWT_ISSUER} does not describe itself (${reasonOf(error)})`
    findings.push(
      failed('sign-in', detail, 'Check JWT_ISSUER: its /.well-known/openid-configuration is read.'),
    )
  }
  return findings
}

export const checkRates: Check = async ({ config, deps }) => {
  const address = addressOf(config.RATE_FEED_URL)
  try {
    const rates = await deps.rateSource.fetchRates()
    const asOf = Math.max(...rates.map((rate) => rate.asOf.getTime()))
    const ageMs = deps.clock.now().getTime() - asOf
    const detail = `${address} has ${rates.length} currencies, ${Math.round(ageMs / 60_000)} minutes old`
    return [
      ageMs < feedAgeLimitMs
        ? ok('rate feed', detail)
        : warning(
            'rate feed',
            detail,
            'Ask the operator of the feed; quotes are refused when rates are too old.',
          ),
    ]
  } catch (error) {
    const detail = `${address} cannot be used (${reasonOf(error)})`
    return [
      failed('rate feed', detail, 'Check RATE_FEED_URL and the shape that docs/operations.md describes.'),
    ]
  }
}

/** Asks each provider about the keys of the installation, by calls that move no money. */
export const checkProviders: Check = async ({ deps }) => {
  const accounts = await deps.db.acrossOrgs((tx) => listAccountsIn(tx, installationOrgId))
  const active = accounts.filter(({ status }) => status === 'active')
  if (active.length === 0)
    return [
      warning(
        'provider accounts',
        'the installation has none, so only organisations with keys of their own can pay',
        'PUT /v1/payments/provider-credentials/{provider}',
      ),
    ]
  const limit = limitConcurrency(accountsAtOnce)
  return Promise.all(
    active.map((account) =>
      limit(async () => {
        const check = `provider ${account.provider}`
        const probe = await deps.connectors.probe(account.accountId).catch(() => undefined)
        if (!probe) return failed(check, `the keys of ${account.label} cannot be opened`, 'Check SECRET_KEY.')
        const detail = `${account.label}: ${probe.detail}`
        if (probe.verdict === 'accepted') return ok(check, detail)
        return probe.verdict === 'refused'
          ? failed(check, detail, `Store new keys: PUT /v1/payments/provider-credentials/${account.provider}`)
          : warning(check, detail, `Run \`npm run connector:check ${account.provider}\`.`)
      }),
    ),
  )
}

/** Providers and customers come in through PUBLIC_URL; webhooks go out through the proxy. */
export const checkReachability: Check = async ({ config }) => {
  const findings: Finding[] = []
  try {
    await readJson(new URL('/healthz', config.PUBLIC_URL))
    findings.push(
      ok('public address', `${addressOf(config.PUBLIC_URL)} leads to the api, so webhooks arrive`),
    )
  } catch (error) {
    findings.push(
      failed(
        'public address',
        `${config.PUBLIC_URL}/healthz does not answer (${reasonOf(error)})`,
        'Start the api, or check PUBLIC_URL, DNS and the load balancer: providers send their webhooks there.',
      ),
    )
  }
  const proxy = config.WEBHOOK_EGRESS_PROXY
  if (proxy === undefined) return findings
  const reason = await connectTcp(endpointOf(proxy), answerTimeoutMs).then(() => undefined, reasonOf)
  findings.push(
    reason === undefined
      ? ok('egress proxy', `${addressOf(proxy)} accepts connections`)
      : failed(
          'egress proxy',
          `${addressOf(proxy)} cannot be reached (${reason})`,
          'Check WEBHOOK_EGRESS_PROXY.',
        ),
  )
  return findings
}
