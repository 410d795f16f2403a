import { describe, expect, it } from 'vitest'
import { checkDomainFiles } from './check-domains.ts'
import { repositoryOf, type Repository } from './repository.ts'

const domain = 'server/src/domains/payments'

function holding(path: string, text = ''): Repository {
  return repositoryOf([{ path, text }])
}

describe('the files of a domain', () => {
  it.each(['helpers.ts', 'types.ts', 'service.js', 'README.md', 'events.ts'])('%s is refused', (name) => {
    expect(checkDomainFiles(holding(`${domain}/${name}`))).toEqual([
      `${domain}/${name}:1 has no place in a domain; allowed: routes.ts, schema.ts, record.ts, errors.ts, rules.ts, store.ts, reads.ts, workflow.ts, <verb-noun>.ts, *.test.ts`,
    ])
  })

  it.each([
    'routes.ts',
    'schema.ts',
    'record.ts',
    'errors.ts',
    'rules.ts',
    'store.ts',
    'reads.ts',
    'workflow.ts',
    'refunds/reads.ts',
    'refunds/routes.ts',
    'refunds/record.ts',
    'initiate-payment.ts',
    'refunds/refund-payment.ts',
    'update-milestone-parties.ts',
    'rules.test.ts',
    'initiate-payment.test.ts',
    'testing/scenarios.ts',
    'refunds/testing/model-steps.ts',
    'reads/timeline/routes.ts',
  ])('%s is accepted', (name) => {
    expect(checkDomainFiles(holding(`${domain}/${name}`))).toEqual([])
  })

  it('the schemas of events have a file in webhooks, and only there', () => {
    expect(checkDomainFiles(holding('server/src/domains/events/webhooks/events.ts'))).toEqual([])
    expect(checkDomainFiles(holding('server/src/domains/events/webhooks/deliveries/events.ts'))).toHaveLength(
      1,
    )
  })
})

describe('the name of an operation', () => {
  it.each([
    ['payment-deps.ts', 'payment'],
    ['look-schedule.ts', 'look'],
    ['modulus-cases.ts', 'modulus'],
    ['refunds/refunded-amounts.ts', 'refunded'],
  ])('%s is refused', (name, word) => {
    expect(checkDomainFiles(holding(`${domain}/${name}`))).toEqual([
      `${domain}/${name}:1 starts with '${word}', which is not in the list of verbs; name an operation <verb-noun>.ts`,
    ])
  })
})

describe('the depth of a domain', () => {
  it.each(['refunds/items/lines/rules.ts', 'refunds/items/lines/create-line.ts', 'a/b/c/testing/model.ts'])(
    '%s is refused',
    (name) => {
      expect(checkDomainFiles(holding(`${domain}/${name}`))).toEqual([
        `${domain}/${name}:1 lies too deep; a domain has sub-resources one level down and no further`,
      ])
    },
  )

  it('a file beside the domains of its group is refused, except in payments', () => {
    const path = 'server/src/domains/people/rules.ts'
    expect(checkDomainFiles(holding(path))).toEqual([
      `${path}:1 lies beside the domains of its group; put it into one of them`,
    ])
  })
})
