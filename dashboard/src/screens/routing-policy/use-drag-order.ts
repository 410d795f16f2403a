import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'

interface Drag {
  from: number
  /** The index where the item would be dropped now. */
  to: number
}

interface DragOrder {
  list: RefObject<HTMLOListElement | null>
  drag: Drag | undefined
  /** The props of the drag handle of the item at this index. */
  handleOf: (index: number) => {
    onPointerDown: (event: PointerEvent) => void
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: () => void
    onPointerCancel: () => void
  }
}

/** Reorders the items of a list by mouse, pen or touch. Escape cancels the drag. */
export function useDragOrder(onDrop: (from: number, to: number) => void): DragOrder {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>()
  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setDrag(undefined)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isDragging])
  const placeAt = (y: number): number => {
    const items = [...(list.current?.children ?? [])]
    const below = items.findIndex((item) => y < item.getBoundingClientRect().bottom)
    return below === -1 ? items.length - 1 : below
  }
  return {
    list,
    drag,
    handleOf: (index) => ({
      onPointerDown(event) {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, to: index })
      },
      onPointerMove(event) {
        if (drag) setDrag({ from: drag.from, to: placeAt(event.clientY) })
      },
      onPointerUp() {
        setDrag(undefined)
        if (drag && drag.from !== drag.to) onDrop(drag.from, drag.to)
      },
      onPointerCancel: () => setDrag(undefined),
    }),
  }
}
