/** What waits, in its order, with the bytes that it takes. */
export interface WaitingJobs<Job> {
  /** Whether so many bytes more are within the limits. */
  hasRoom(bytes: number, max: WaitingLimits): boolean;
  add(job: Job): void;
  next(): Job | undefined;
  takeAll(): readonly Job[];
}

export interface WaitingLimits {
  readonly jobs: number;
  readonly bytes: number;
}

export function createWaitingJobs<Job extends { readonly bytes: number }>(): WaitingJobs<Job> {
  const jobs: Job[] = [];
  let total = 0;
  return {
    hasRoom: (bytes, max) => jobs.length < max.jobs && total + bytes <= max.bytes,
    add(job) {
      jobs.push(job);
      total += job.bytes;
    },
    next() {
      const job = jobs.shift();
      total -= job?.bytes ?? 0;
      return job;
    },
    takeAll() {
      total = 0;
      return jobs.splice(0);
    },
  };
}
