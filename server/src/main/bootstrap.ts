import { parseArgs } from 'node:util'
import { createApiKey } from '../domains/people/api-keys/create-api-key.ts'
import { bootstrapPlatform } from '../domains/people/organizations/bootstrap-platform.ts'
import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startProcess } from './process-start.ts'
import { StartError } from './start-error.ts'

/** `npm run bootstrap -- --user-id SUBJECT --email ADDRESS --first-name NAME --last-name NAME --country CC` */
const { values } = parseArgs({
  options: {
    'user-id': { type: 'string' },
    email: { type: 'string' },
    'first-name': { type: 'string', default: 'Platform' },
    'last-name': { type: 'string', default: 'Admin' },
    country: { type: 'string', default: 'GB' },
  },
})
const { userId, email, config } = await startProcess(async () => {
  if (values['user-id'] === undefined || values.email === undefined)
    throw new StartError(['--user-id (the subject at your identity provider) and --email are needed.'])
  return { userId: values['user-id'], email: values.email, config: readConfig() }
})
const deps = await createDeps(config)
const caller = await bootstrapPlatform(deps, {
  name: 'Platform',
  country: values.country,
  admin: {
    userId,
    email,
    firstName: values['first-name'],
    lastName: values['last-name'],
    country: values.country,
  },
})
const { secret } = await createApiKey(deps, caller, {
  name: 'bootstrap',
  scopes: null,
  allowedIps: null,
  expiresAt: null,
})
process.stdout.write(`platform organisation ${caller.orgId}\nAPI key (shown once) ${secret}\n`)
await deps.close()
