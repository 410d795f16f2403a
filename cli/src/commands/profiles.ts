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
    .argument('[address]', 'the address of the installation, such as https://pay.example.com')
    .option('--profile <name>', 'the name of the profile', 'default')
    .option('--sandbox', 'no real money moves here, so commands do not ask for confirmation')
    .summary('check an API key and save it in a profile')
    .description(
      'Checks an API key and saves it in a profile.\n\nThe command prompts for the key or reads it from standard input. It never takes the key as an argument, because other users of this machine could see it.',
    )
    .action((address: string | undefined, options: LoginOptions) => login(io, address, options))
  program
    .command('logout')
    .option('--profile <name>', 'the profile to remove (default: the current one)')
    .summary('remove a profile and its key')
    .action((options: CommonOptions) => logout(io, options))
  program
    .command('use')
    .argument('<profile>')
    .summary('switch to another profile')
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
    throw new UsageError('A profile name may contain letters, digits, underscores, dots and dashes.')
  const address = given ?? (await io.ask('What is the address of your installation?'))
  const baseUrl = address.trim().replace(/\/$/, '').replace(/\/v1$/, '')
  const key = (io.isTerminal ? await io.ask('API key', { isSecret: true }) : await io.readStdin()).trim()
  if (key === '') throw new UsageError('No API key was given.')
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
  io.report(
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
  io.report(
    `Removed profile ${name}. Its key still works until you revoke it with switchyard api-keys revoke.`,
  )
}

function use(io: Io, name: string): void {
  const path = configPath(io)
  const config = readConfig(path)
  if (!config || !(name in config.profiles))
    throw new UsageError(
      `There is no profile ${name}. There are: ${Object.keys(config?.profiles ?? {}).join(', ') || 'none'}.`,
    )
  writeConfig(path, { ...config, current: name })
  io.report(`Using profile ${name} (${config.profiles[name]?.base_url ?? ''}).`)
  if (chooseProfile(io, undefined).name !== name)
    io.report(
      'Here, SWITCHYARD_API_KEY, SWITCHYARD_PROFILE or the profile of `npm run dev` takes precedence.',
    )
}

async function showCaller(io: Io, options: CommonOptions): Promise<void> {
  const { client, profile, print } = openSession(io, options)
  const { email, role, org_id, credential, permissions } = await client.users.me()
  const { name, source, base_url, environment } = profile
  print.value({ email, role, org_id, credential, profile: name, source, base_url, environment, permissions })
}
