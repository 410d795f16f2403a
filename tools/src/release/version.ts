/** The parts of a version, most significant first. */
export type Version = readonly [major: number, minor: number, patch: number]

export type Bump = 'major' | 'minor' | 'patch'

const pattern = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = pattern.exec(text) ?? []
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

export const formatVersion = (version: Version): string => version.join('.')

export function isGreater(one: Version, other: Version): boolean {
  const differing = one.findIndex((part, index) => part !== other[index])
  return differing >= 0 && (one[differing] ?? 0) > (other[differing] ?? 0)
}

/** Which part the step from one version to a greater one raises. */
export function bumpOf(from: Version, to: Version): Bump {
  if (to[0] > from[0]) return 'major'
  return to[1] > from[1] ? 'minor' : 'patch'
}

const weights: Readonly<Record<Bump, number>> = { major: 2, minor: 1, patch: 0 }

/** Before 1.0.0 a minor version may break, as semantic versioning allows. */
export const isEnough = (bump: Bump, needed: Bump, from: Version): boolean =>
  weights[bump] >= Math.min(weights[needed], from[0] === 0 ? weights.minor : weights.major)
