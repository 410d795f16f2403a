import { forbidden, type AppError } from '../../../lib/errors.ts'
import type { Empowerment, Lineage, Relation } from './record.ts'

/**
 * Two people are related if one of them empowered the other, or one person empowered both, also through further people.
 * The operator's people empower the first administrators of every organisation. That relates each of those to the
 * person of the operator, but not to each other.
 */
export function createLineage(empowerments: readonly Empowerment[]): Lineage {
  const own = empowerments.filter(({ isByOperator }) => !isByOperator)
  return {
    relation(one, other) {
      if (one === other) return undefined
      const [ofOne, ofOther] = [originsOf(own, one), originsOf(own, other)]
      if (ofOne.has(other) || ofOther.has(one)) return 'direct'
      if (!ofOne.isDisjointFrom(ofOther)) return 'common'
      const isOperators = originsOf(empowerments, one).has(other) || originsOf(empowerments, other).has(one)
      return isOperators ? 'operator' : undefined
    },
    hasEmpowered: (one, other) => one !== other && originsOf(own, other).has(one),
    operatorsBehind(userId) {
      const origins = originsOf(empowerments, userId)
      return empowerments
        .filter((one) => one.isByOperator && origins.has(one.userId))
        .map(({ empoweredBy }) => empoweredBy)
    },
  }
}

/** Whether somebody in the organisation could decide about what this member asks for. */
export const isSecondPerson = ({ relation }: Lineage, asking: string, deciding: string): boolean =>
  asking !== deciding && [undefined, 'operator'].includes(relation(asking, deciding))

/** Those who could decide about what this member asks for: the unrelated ones, or else those who gave them access. */
export function decidersAmong<T extends { userId: string }>(
  lineage: Lineage,
  asking: string,
  people: readonly T[],
): T[] {
  const unrelated = people.filter(({ userId }) => isSecondPerson(lineage, asking, userId))
  return unrelated.length > 0
    ? unrelated
    : people.filter(({ userId }) => lineage.hasEmpowered(userId, asking))
}

/** How somebody is related to one of these people; that an operator empowered one of them counts least. */
export function relationAmong(
  { relation }: Lineage,
  userId: string,
  others: readonly string[],
): Relation | undefined {
  const found = others.flatMap((other) => relation(userId, other) ?? [])
  return found.find((one) => one !== 'operator') ?? found[0]
}

/** The person, those who empowered them, those who empowered these, and so on. */
function originsOf(empowerments: readonly Empowerment[], userId: string): ReadonlySet<string> {
  const origins = new Set([userId])
  // A set is visited in the order of insertion, so this also visits what is added on the way.
  for (const origin of origins)
    for (const one of empowerments) if (one.userId === origin) origins.add(one.empoweredBy)
  return origins
}

const reasons: Readonly<Record<Relation, string>> = {
  direct: 'one of you gave the other access',
  common: 'the same person gave both of you access',
  operator: 'one of you gave the other access',
}

/** Why somebody does not count as a second person. */
export const notIndependent = (relation: Relation, days: number): AppError =>
  forbidden(
    `You and the other person are related: ${reasons[relation]} less than ${days} days ago, and nobody else agreed to it, so you do not count as a second person here. Somebody unrelated has to decide, or the operator confirms one of you.`,
  )
