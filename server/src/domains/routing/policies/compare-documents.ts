import { describeCost, describeFallback, describeRule, describeStrategy } from './describe-policy.ts'
import type { PolicyDocument, Rule } from './record.ts'

export interface PolicyChange {
  path: string
  change: 'added' | 'removed' | 'changed' | 'moved'
  before: string | null
  after: string | null
}

/** What a second person has to read to know what a version would change. Rules are compared by their names. */
export function compareDocuments(before: PolicyDocument | undefined, after: PolicyDocument): PolicyChange[] {
  return [
    ...changedRules(before?.rules ?? [], after.rules),
    ...changed('otherwise', before && describeStrategy(before.otherwise), describeStrategy(after.otherwise)),
    ...changed('costs', costsOf(before), costsOf(after)),
    ...changed('fallback', fallbackOf(before), fallbackOf(after)),
  ]
}

const costsOf = (document: PolicyDocument | undefined): string | undefined =>
  document?.costs?.map(describeCost).join('; ')

const fallbackOf = (document: PolicyDocument | undefined): string | undefined =>
  document?.fallback && describeFallback(document.fallback)

function changed(path: string, before: string | undefined, after: string | undefined): PolicyChange[] {
  if (before === after) return []
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return [{ path, change, before: before ?? null, after: after ?? null }]
}

function changedRules(before: readonly Rule[], after: readonly Rule[]): PolicyChange[] {
  const has = (rules: readonly Rule[], { name }: Rule): Rule | undefined =>
    rules.find((other) => other.name === name)
  const keptBefore = before.filter((rule) => has(after, rule))
  const keptAfter = after.filter((rule) => has(before, rule))
  return [
    ...before
      .filter((rule) => !has(after, rule))
      .flatMap((rule) => changed(pathOf(rule), describeRule(rule), undefined)),
    ...after.flatMap((rule) => {
      const former = has(before, rule)
      const sentence = describeRule(rule)
      const other = changed(pathOf(rule), former && describeRule(former), sentence)
      const [from, to] = [keptBefore, keptAfter].map((rules) =>
        rules.findIndex(({ name }) => name === rule.name),
      )
      if (!former || from === to) return other
      return [
        ...other,
        {
          path: pathOf(rule),
          change: 'moved' as const,
          before: place(before, rule),
          after: place(after, rule),
        },
      ]
    }),
  ]
}

const pathOf = ({ name }: Rule): string => `rules/${name}`
const place = (rules: readonly Rule[], { name }: Rule): string =>
  `rule ${rules.findIndex((rule) => rule.name === name) + 1} of ${rules.length}`
