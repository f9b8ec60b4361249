import Dispatch

/// Runs the tasks of a service's routes and schedules outside Swift's pool of threads.
///
/// The pool has a thread for each core. Tests that wait for a response can block all of them, and
/// then a task of the pool that has to answer would never run.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // As in `Blocking`, a serial queue gets a thread even if all threads of the pool are blocked.
    DispatchQueue(label: "service task").async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
