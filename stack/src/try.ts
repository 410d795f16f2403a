import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { identityAccounts } from './seeds/identity-accounts.ts'
import type { SeedResult } from './seeds/seed.ts'
import type { IdentityAccount } from './services/identity-accounts.ts'

/**
 * What deploy/compose.yaml starts beside an installation that is tried out: `try.ts simulator|identity|mail|seed`. Each
 * listens on all addresses of its container.
 */
const host = '0.0.0.0'
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  simulator: () => import('@switchyard/simulator/main.ts'),
  identity: startIdentityProvider,
  mail: startMail,
  seed: seedInstallation,
}

const identitySchema = z.object({
  IDENTITY_PORT: z.coerce.number().int().default(9400),
  IDENTITY_ISSUER: z.url(),
  IDENTITY_DASHBOARD_URL: z.url(),
  IDENTITY_DATA_DIR: z.string(),
  SEED_FILE: z.string(),
})

async function startIdentityProvider(): Promise<void> {
  const env = identitySchema.parse(process.env)
  const { startIdentity } = await import('./services/identity.ts')
  // The accounts are seeded while the provider runs, so it reads them for each request.
  const list = (): IdentityAccount[] => (existsSync(env.SEED_FILE) ? accountsIn(env.SEED_FILE) : [])
  const identity = await startIdentity({
    port: env.IDENTITY_PORT,
    dataDir: env.IDENTITY_DATA_DIR,
    accounts: { list, find: (userId) => list().find(({ user_id }) => user_id === userId) },
    network: { host, issuer: env.IDENTITY_ISSUER, dashboardUrl: env.IDENTITY_DASHBOARD_URL },
  })
  stopOnSignal(identity)
}

const accountsIn = (file: string): IdentityAccount[] =>
  identityAccounts(JSON.parse(readFileSync(file, 'utf8')) as SeedResult) // written by the seed

const mailSchema = z.object({
  MAIL_SMTP_PORT: z.coerce.number().int().default(1025),
  MAIL_WEB_PORT: z.coerce.number().int().default(8025),
})

async function startMail(): Promise<void> {
  const env = mailSchema.parse(process.env)
  const { startMailCatcher } = await import('./services/mail-catcher.ts')
  const mail = await startMailCatcher({ port: env.MAIL_SMTP_PORT, webPort: env.MAIL_WEB_PORT, host })
  stopOnSignal(mail)
}

/** Example organisations, providers and payments; it prints how to make the first call. */
async function seedInstallation(): Promise<void> {
  const { seed } = await import('./seeds/seed.ts')
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const { orgs, payment_link } = await seed(env)
  const [org] = orgs
  const api = `${env['PUBLIC_URL']}/v1`
  process.stdout.write(
    [
      `Dashboard   ${env['PUBLIC_URL']}/dashboard`,
      `API         ${api}`,
      `Pay page    ${payment_link}`,
      `API key     ${org?.members[0]?.api_key} (${org?.members[0]?.email} of ${org?.name})`,
      '',
      `curl ${api}/organizations/${org?.org_id} -H 'Authorization: NONE' -H 'X-Api-Key: ${org?.members[0]?.api_key}'`,
      '',
    ].join('\n'),
  )
}

function stopOnSignal(service: { stop(): Promise<void> }): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.stop())
}

const [name = ''] = process.argv.slice(2)
const command = commands[name]
if (command) await command()
else {
  process.stderr.write(`try.ts COMMAND, where COMMAND is one of ${Object.keys(commands).join(', ')}\n`)
  process.exitCode = 1
}
