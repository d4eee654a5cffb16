/**
 * When records and processes are scanned. Notices of the system and one call for each known process
 * come first, so most scans read only what is new.
 */

/** In polls. */
const SCAN_EVERY = 5;
/** In polls: scans that check each file and each process. */
const FULL_EVERY = 15;

export class ScanPace {
  #polls = 0;
  #isFullDue = false;

  /** Call at each poll; true when a scan is due. `isUnsure`: the system does not report all changes. */
  poll(isUnsure: boolean): boolean {
    this.#polls += 1;
    this.#isFullDue ||= isUnsure || this.#polls % FULL_EVERY === 0;
    return isUnsure || this.#polls % SCAN_EVERY === 0;
  }

  /** The next scan checks everything. */
  checkAll(): void {
    this.#isFullDue = true;
  }

  /** Call when a scan begins; true when it checks everything. */
  begin(): boolean {
    const isFull = this.#isFullDue;
    this.#isFullDue = false;
    return isFull;
  }
}
