export {}

/**
 * Runs inside a page, so it imports nothing. Finds what makes this part of a screen hard to use at its current size.
 * An open dialog hides the page behind it, so only the dialog is checked.
 */
function findFlaws(part: string): string[] {
  const root = document.querySelector('[role="dialog"]') ?? document.querySelector(part)
  if (!root) return [`there is no ${part}`]
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  const controls = [...root.querySelectorAll<HTMLElement>(controlSelector)].filter(isShown)
  const lines = linesOf(root)
  return [
    ...new Set([
      ...findWidePage(),
      ...findCutText(lines),
      ...findOverlaps(lines),
      ...controls.flatMap((control) => [...findSmall(control), ...findCovered(control)]),
      ...controls.flatMap(findLostFocus),
    ]),
  ]
}

const controlSelector = 'a[href], button, input, select, textarea, summary, [role="tab"], [tabindex="0"]'
const smallestTarget = 24
/** Rounding of the layout. */
const tolerance = 1

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const isShown = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isForScreenReaders(element)

/** Elements with the class visuallyHidden, and controls that are off the page until focused. */
function isForScreenReaders(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement)
    if (getComputedStyle(one).clipPath === 'inset(50%)') return true
  return element.getBoundingClientRect().bottom + scrollY <= 0
}

function nameOf(element: Element): string {
  const text = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
  const classes = (element.getAttribute('class') ?? '').replaceAll(/_?([\w-]*?)_\w{5,}_?\d*/g, '$1')
  return `<${element.tagName.toLowerCase()} ${classes}> "${text.slice(0, 50)}"`
}

function findWidePage(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const widest = [...document.body.querySelectorAll('*')].filter((element) => {
    const { left, right } = shownPartOf(element, element.getBoundingClientRect())
    return right > clientWidth + tolerance || left < -tolerance
  })
  return [
    `the page scrolls sideways (${scrollWidth} of ${clientWidth}): ${widest.slice(-3).map(nameOf).join(', ')}`,
  ]
}

/** The touch target: a checkbox includes its label. A link within a sentence is only as high as its line. */
function findSmall(control: HTMLElement): string[] {
  if (isScroller(control)) return []
  const isInSentence =
    getComputedStyle(control).display === 'inline' &&
    (control.parentElement?.textContent?.trim().length ?? 0) > (control.textContent?.trim().length ?? 0)
  if (isInSentence) return []
  const target = control.closest('label') ?? control
  const { width, height } = target.getBoundingClientRect()
  const isSmall = width < smallestTarget - 0.5 || height < smallestTarget - 0.5
  return isSmall ? [`${nameOf(control)} is only ${Math.round(width)} x ${Math.round(height)}`] : []
}

const isScroller = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflow)

/** Whether a click on the control reaches it. */
function findCovered(control: HTMLElement): string[] {
  if (isScroller(control)) return []
  control.scrollIntoView({ block: 'center', inline: 'center' })
  const [box] = control.getClientRects()
  if (!box) return []
  const middle = box.top + box.height / 2
  for (const part of [0.25, 0.5, 0.75]) {
    const hit = document.elementFromPoint(box.left + box.width * part, middle)
    const isReached = hit && (control.contains(hit) || control.closest('label')?.contains(hit))
    if (!isReached) return [`${nameOf(control)} is covered by ${hit ? nameOf(hit) : 'nothing on the page'}`]
  }
  return []
}

/** The part of a box that its ancestors show, and the ancestor that permanently hides the rest. */
function shownPartOf(element: Element, whole: Box): Box & { hiddenBy?: Element } {
  const shown: Box & { hiddenBy?: Element } = { ...boxOf(whole) }
  for (let one: Element | null = element; one && one !== document.documentElement; one = one.parentElement) {
    const { overflowX, position } = getComputedStyle(one)
    if (overflowX !== 'visible') {
      const box = one.getBoundingClientRect()
      const isCut =
        shown.right > box.right + tolerance ||
        shown.left < box.left - tolerance ||
        shown.bottom > box.bottom + tolerance + 2
      if (isCut && /hidden|clip/.test(overflowX)) shown.hiddenBy ??= one
      shown.left = Math.max(shown.left, box.left)
      shown.right = Math.min(shown.right, box.right)
      shown.top = Math.max(shown.top, box.top)
      shown.bottom = Math.min(shown.bottom, box.bottom)
    }
    if (position === 'fixed') break
  }
  return shown
}

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom })

interface Line {
  element: Element
  text: string
  box: Box & { hiddenBy?: Element }
}

function linesOf(root: Element): Line[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const lines: Line[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (!element || text === '' || element.closest('option, script, style, noscript')) continue
    if (!isShown(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) lines.push({ element, text, box: shownPartOf(element, box) })
  }
  return lines
}

/** Where the full text of a cut-off text is: behind its link, its row, or the menu that its button opens. */
const fullTextElsewhere = 'a[href], [aria-haspopup="menu"], tr:has([data-row])'

const findCutText = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ element, text, box }) => {
    const isOffPage = box.left < -tolerance && box.right > box.left
    if (isOffPage && scrollX === 0) return [`"${text.slice(0, 50)}" is off the page`]
    return box.hiddenBy && !element.closest(fullTextElsewhere)
      ? [`"${text.slice(0, 50)}" is cut off by ${nameOf(box.hiddenBy)}`]
      : []
  })

function findOverlaps(all: readonly Line[]): string[] {
  const lines = all.filter(({ box }) => box.right > box.left && box.bottom > box.top)
  return lines.flatMap((one, index) =>
    lines.slice(index + 1).flatMap((other) => {
      if (one.element === other.element) return []
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      const lowest = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top)
      return width > 3 && height > lowest * 0.4
        ? [`"${one.text.slice(0, 40)}" and "${other.text.slice(0, 40)}" overlap`]
        : []
    }),
  )
}

/** In an SVG, the focus ring is a stroke. */
const strokesOf = (control: Element): string =>
  [...control.querySelectorAll('circle')].map((circle) => getComputedStyle(circle).stroke).join()

/** Keyboard users must see the focus: the outline exists, and no ancestor cuts it off. */
function findLostFocus(control: HTMLElement): string[] {
  if (control.tabIndex < 0 || control.matches(':disabled')) return []
  const strokes = strokesOf(control)
  control.focus()
  if (document.activeElement !== control) return []
  control.scrollIntoView({ block: 'center', inline: 'center' })
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control)
  const ringWidth = outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)
  if (ringWidth < 1 && strokes === strokesOf(control)) return [`${nameOf(control)} has no focus ring`]
  const tooltips = (control.getAttribute('aria-describedby') ?? '').split(' ').flatMap((id) => {
    const tooltip = document.getElementById(id)
    if (tooltip?.role !== 'tooltip') return []
    const { left, right } = tooltip.getBoundingClientRect()
    return left < 0 || right > innerWidth ? [`the tooltip of ${nameOf(control)} is off the page`] : []
  })
  const grow = Math.max(0, parseFloat(outlineOffset) + ringWidth)
  const { left, top, right, bottom } = control.getBoundingClientRect()
  const ring = { left: left - grow, top: top - grow, right: right + grow, bottom: bottom + grow }
  const shown = shownPartOf(control.parentElement ?? control, ring)
  const cut = (['left', 'right', 'top', 'bottom'] as const).filter(
    (side) => Math.abs(shown[side] - ring[side]) > tolerance,
  )
  return [
    ...tooltips,
    ...(cut.length > 0 ? [`the focus ring of ${nameOf(control)} is cut off: ${cut.join(' ')}`] : []),
  ]
}

Object.assign(window, { findFlaws })
