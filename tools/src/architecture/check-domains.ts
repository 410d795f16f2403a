import { type Repository } from './repository.ts'

const domainPath = /^server\/src\/domains\/([^/]+)\/(.+)$/
/** The only group that is one domain; its folders are stages of a payment's life. */
const singleDomainGroup = 'payments'
const standardFiles = new Set([
  'routes.ts',
  'schema.ts',
  'record.ts',
  'errors.ts',
  'rules.ts',
  'store.ts',
  'reads.ts',
  'workflow.ts',
])
/** The schemas of every event type stand in one file of the domain that delivers them. */
const eventsFile = 'events/webhooks/events.ts'
const testName = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.timing)?\.test\.ts$/
const helperName = /^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/
const operationName = /^([a-z0-9]+)(?:-[a-z0-9]+)+\.ts$/
const folderName = /^[a-z]+(?:-[a-z]+)*$/
const allowedFiles = `${[...standardFiles].join(', ')}, <verb-noun>.ts, *.test.ts`

/** The first word of an operation's file. A new verb is added here once, when it really is another thing to do. */
const operationVerbs: ReadonlySet<string> = new Set(
  `accept add advance answer apply approve assert assign attempt authenticate book bootstrap build cancel change check
  choose claim clear close compare compose confirm count cover create credit delete describe disburse draft erase expire explain export
  find fold freeze fund get grant initiate inquire invite lift limit list load lock manage mark match move notify offer open order pace
  pay plan post prepare push present preview price publish purge queue quote raise read receive reconcile record recover refresh refund
  register reject release remove render replace replay report republish request requeue reseal resolve restore resume return
  review revoke rewrap rotate schedule
  screen seal send set settle show sign start stop store submit supervise sweep track transfer unfreeze update validate
  verify watch withdraw write`.split(/\s+/),
)

export function checkDomainFiles(repository: Repository): string[] {
  return repository.files.flatMap(({ path }) => {
    const reason = refusal(path)
    return reason === undefined ? [] : [`${path}:1 ${reason}`]
  })
}

function refusal(path: string): string | undefined {
  const [, group, rest] = domainPath.exec(path) ?? []
  if (group === undefined || rest === undefined) return undefined
  const folders = rest.split('/')
  const name = folders.pop() ?? ''
  const isHelper = folders.at(-1) === 'testing'
  if (isHelper) folders.pop()
  if (folders.length === 0 && group !== singleDomainGroup)
    return 'lies beside the domains of its group; put it into one of them'
  if (folders.length > 2) return 'lies too deep; a domain has sub-resources one level down and no further'
  if (!folders.every((folder) => folderName.test(folder)))
    return 'lies in a folder whose name is not in kebab-case'
  if (isHelper) return helperName.test(name) ? undefined : 'is no TypeScript file in kebab-case'
  if (standardFiles.has(name) || testName.test(name) || `${group}/${rest}` === eventsFile) return undefined
  const verb = operationName.exec(name)?.[1]
  if (verb === undefined) return `has no place in a domain; allowed: ${allowedFiles}`
  return operationVerbs.has(verb)
    ? undefined
    : `starts with '${verb}', which is not in the list of verbs; name an operation <verb-noun>.ts`
}
