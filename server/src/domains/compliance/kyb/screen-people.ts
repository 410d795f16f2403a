import type { CompiledQuery } from 'kysely'
import type { KybApplication } from '../../../connectors/kit/kyb-provider.ts'
import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { derivedId } from '../../../lib/ids.ts'
import type { Subject } from '../sanctions/matches/record.ts'
import { screenSubjects } from '../sanctions/matches/screen-subjects.ts'
import type { Person } from '../sanctions/record.ts'
import type { SubjectPage, SubjectRow } from '../sanctions/runs/record.ts'
import { kybPersonContext, type KybPerson, type KybStartDeps } from './record.ts'
import { selectEveryPersonAcrossOrgs, upsertPerson } from './store.ts'

interface PreparedScreening {
  people: KybPerson[]
  matches: readonly CompiledQuery[]
}

/** The company and the people behind it. Everybody whom the organisation has ever named stays, unless a retention period is set. */
export async function prepareScreening(
  deps: KybStartDeps,
  orgId: string,
  { company, people }: KybApplication,
): Promise<PreparedScreening> {
  const named: Person[] = [
    { name: company.legalName, country: company.country },
    ...people.map(({ firstName, lastName, dateOfBirth, country }) => ({
      name: `${firstName} ${lastName}`,
      dateOfBirth,
      country,
    })),
  ]
  const subjects = named.map((person): Subject => ({
    kind: 'kyb',
    subjectId: personIdOf(orgId, person),
    person,
  }))
  return {
    people: await Promise.all(
      subjects.map(async ({ subjectId: personId, person }) => ({
        personId,
        detailsSealed: await deps.vault.seal(orgId, kybPersonContext(personId), person),
      })),
    ),
    matches: (await screenSubjects(deps, orgId, { subjects, identifiers: [] })).statements,
  }
}

export async function storePeople(
  tx: Tx,
  orgId: string,
  { people, matches }: PreparedScreening,
): Promise<void> {
  for (const person of people) await upsertPerson(tx, orgId, person)
  for (const match of matches) await tx.db.executeQuery(match)
}

/** Derived, so that an application that is sent again names the same people. */
const personIdOf = (orgId: string, person: Person): string => derivedId(JSON.stringify([orgId, person]))

/** Everybody behind every organisation, to be screened by a new list. */
export async function listKybSubjects(
  deps: { db: Database; vault: Vault },
  page: SubjectPage,
): Promise<SubjectRow[]> {
  const rows = await deps.db.acrossOrgs((tx) => selectEveryPersonAcrossOrgs(tx, page))
  return Promise.all(
    rows.map(async ({ orgId, personId, detailsSealed }) => {
      const person = (await deps.vault.open(orgId, kybPersonContext(personId), detailsSealed)) as Person // sealed by us from this type
      const subjects = [{ kind: 'kyb' as const, subjectId: personId, person }]
      return { orgId, id: personId, subjects, identifiers: [] }
    }),
  )
}
