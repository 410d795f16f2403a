import type { Command } from 'commander'
import { UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { chooseProfile, configPath, environmentOf } from '../profiles/choose-profile.ts'
import { readConfig, writeConfig, type Profile } from '../profiles/config-file.ts'
import { clientOf, openSession, withCommonOptions, type CommonOptions } from '../session.ts'

const namePattern = /^[\w.-]{1,64}$/

export function addProfiles(program: Command, io: Io): void {
  program
    .command('login')
    .argument('[address]', 'where the installation is, such as https://pay.example.com')
    .option('--profile <name>', 'the name of the profile', 'default')
    .option('--sandbox', 'money here is not real: commands do not ask before it moves')
    .summary('check an API key and keep it in a profile')
    .description(
      'Checks an API key and keeps it in a profile.\n\nThe key is asked for, or read from standard input; it is never an argument, which others on this machine could see.',
    )
    .action((address: string | undefined, options: LoginOptions) => login(io, address, options))
  program
    .command('logout')
    .option('--profile <name>', 'the profile to forget; by default the one in use')
    .summary('forget the key of a profile')
    .action((options: CommonOptions) => logout(io, options))
  program
    .command('use')
    .argument('<profile>')
    .summary('use another profile from now on')
    .action((name: string) => use(io, name))
  const whoami = program.command('whoami').summary('show who the key belongs to')
  withCommonOptions(whoami).action(() => showCaller(io, whoami.opts()))
}

interface LoginOptions {
  profile: string
  sandbox?: boolean
}

async function login(
  io: Io,
  given: string | undefined,
  { profile: name, sandbox }: LoginOptions,
): Promise<void> {
  if (!namePattern.test(name))
    throw new UsageError('The name of a profile has letters, digits, dots and dashes.')
  const address = given ?? (await io.ask('Where is your Switchyard?'))
  const baseUrl = address.trim().replace(/\/$/, '').replace(/\/v1$/, '')
  const key = (io.isTerminal ? await io.ask('API key', { isSecret: true }) : await io.readStdin()).trim()
  if (key === '') throw new UsageError('There is no API key.')
  const caller = await clientOf(io, { base_url: baseUrl, api_key: key }).users.me()
  const path = configPath(io)
  const config = readConfig(path) ?? { profiles: {} }
  const profile: Profile = {
    base_url: baseUrl,
    api_key: key,
    environment: sandbox ? 'sandbox' : environmentOf(baseUrl),
    org_id: caller.org_id,
  }
  writeConfig(path, { current: name, profiles: { ...config.profiles, [name]: profile } })
  io.say(
    `Logged in to ${baseUrl} as ${caller.email} (${caller.role}), profile ${name}, ${profile.environment}.`,
  )
}

function logout(io: Io, options: CommonOptions): void {
  const path = configPath(io)
  const config = readConfig(path)
  const name = options.profile ?? config?.current
  if (!config || name === undefined || !(name in config.profiles))
    throw new UsageError(`There is no profile${name === undefined ? '' : ` ${name}`} in ${path}.`)
  const { [name]: _forgotten, ...profiles } = config.profiles
  writeConfig(path, { current: config.current === name ? undefined : config.current, profiles })
  io.say(`Forgot profile ${name}. The key still works until it is revoked: switchyard api-keys revoke.`)
}

function use(io: Io, name: string): void {
  const path = configPath(io)
  const config = readConfig(path)
  if (!config || !(name in config.profiles))
    throw new UsageError(
      `There is no profile ${name}. There are: ${Object.keys(config?.profiles ?? {}).join(', ') || 'none'}.`,
    )
  writeConfig(path, { ...config, current: name })
  io.say(`Using profile ${name} (${config.profiles[name]?.base_url ?? ''}).`)
  if (chooseProfile(io, undefined).name !== name)
    io.say('Here another one goes first: SWITCHYARD_API_KEY, SWITCHYARD_PROFILE or the one of `npm run dev`.')
}

async function showCaller(io: Io, options: CommonOptions): Promise<void> {
  const { client, profile, print } = openSession(io, options)
  const { email, role, org_id, credential, permissions } = await client.users.me()
  const { name, source, base_url, environment } = profile
  print.value({ email, role, org_id, credential, profile: name, source, base_url, environment, permissions })
}
